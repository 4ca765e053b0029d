"""Completions from vLLM in this process."""

from collections.abc import Mapping, Sequence
from typing import Any

from tokenbench.item import Json
from tokenbench.run.chat import Encoder
from tokenbench.run.in_process import Asked, InProcessClient
from tokenbench.run.protocol import Completion, Sampling


class VLLMClient(InProcessClient):
    """A model in a `vllm.LLM` of this process, loaded when the first request comes.

    A request's seed gives it the same draws in any batch, as far as vLLM's arithmetic is the same.

    Args:
        model: its name on the Hugging Face Hub, or its folder.
        chat: whether texts are put as chat messages; None if the tokenizer has a chat template.
        batch: how many requests vLLM gets at once; it runs as many of them together as fit, and
            all are done before one is seen.
        engine: other arguments of `vllm.LLM`, such as `{"tensor_parallel_size": 2}`.

    Raises:
        ClientError: a value that cannot serve.

    >>> VLLMClient("org/model", engine={"max_model_len": 2048}).facts()["engine"]
    {'max_model_len': 2048}
    """

    KIND = "vllm"
    PACKAGES = ("vllm",)

    def __init__(
        self,
        model: str,
        *,
        chat: bool | None = None,
        batch: int = 256,
        engine: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__(model, chat, batch, engine)

    def _load(self) -> "_VLLM":
        import vllm

        return _VLLM(vllm, vllm.LLM(self.model, **self.engine), self.chat)


class _VLLM:
    """An engine with a model in it.

    Args:
        package: vllm itself.
        llm: the engine, a `vllm.LLM`.
        chat: as the client's.
    """

    def __init__(self, package: Any, llm: Any, chat: bool | None) -> None:
        self._package, self._llm = package, llm
        self.encoder = Encoder(llm.get_tokenizer(), chat, getattr(llm, "chat_template", None))
        self.context: int = llm.llm_engine.model_config.max_model_len

    def complete(self, asked: Sequence[Asked], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        # Samples of one prompt are requests of their own: `n` would number their seeds itself, and
        # vLLM computes the prompt that they share once in either case.
        outputs = self._llm.generate(
            [{"prompt_token_ids": one.ids} for one in asked],
            [self._params(one, sampling) for one in asked],
            use_tqdm=False,
        )
        return [
            _completion(one, output.outputs[0]) for one, output in zip(asked, outputs, strict=True)
        ]

    def _params(self, one: Asked, sampling: Sampling) -> Any:
        return self._package.SamplingParams(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=-1 if sampling.top_k is None else sampling.top_k,
            max_tokens=one.limit,
            stop=list(sampling.stop),
            seed=one.seed,
        )


def _completion(one: Asked, output: Any) -> Completion:
    return Completion(output.text, output.finish_reason, len(one.ids), len(output.token_ids))
