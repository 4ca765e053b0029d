"""Completions from vLLM in this process."""

from collections.abc import Sequence
from typing import Any

from tokenbench.run.clients import Completion
from tokenbench.run.in_process import EncodedPrompt, Encoder, InProcessClient
from tokenbench.run.options import Sampling


class VLLMClient(InProcessClient):
    """A model in a `vllm.LLM` of this process, loaded on the first request.

    A seeded request gives the same completion in any batch, as far as vLLM's arithmetic allows.

    Args:
        model: its name on the Hugging Face Hub, or its folder.
        chat: whether texts become chat messages; None if the tokenizer has a chat template.
        batch: the number of requests that vLLM gets at once; it runs as many of them in parallel as
            fit, and all finish before the first is returned.
        engine: other arguments of `vllm.LLM`, such as `{"tensor_parallel_size": 2}`.

    Raises:
        ClientError: a value outside its range.

    >>> VLLMClient("org/model", engine={"max_model_len": 2048}).facts()["engine"]
    {'max_model_len': 2048}
    """

    KIND = "vllm"
    PACKAGES = ("vllm",)

    def _load(self) -> "_VLLM":
        import vllm

        return _VLLM(vllm.LLM(self.model, **self.engine), vllm.SamplingParams, self.chat)


class _VLLM:
    """A `vllm.LLM` with its model, and the class of its sampling parameters."""

    def __init__(self, llm: Any, sampling_params: Any, chat: bool | None) -> None:
        self._llm, self._sampling_params = llm, sampling_params
        self.encoder = Encoder(llm.get_tokenizer(), chat, getattr(llm, "chat_template", None))
        self.context: int | None = llm.llm_engine.model_config.max_model_len

    def complete(self, prompts: Sequence[EncodedPrompt], sampling: Sampling) -> list[Completion]:
        """Return the completions, in order."""
        # Samples of one prompt are separate requests: `n` would number their seeds itself, and vLLM
        # computes the shared prompt only once in either case.
        params = [
            self._sampling_params(
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                top_k=-1 if sampling.top_k is None else sampling.top_k,
                max_tokens=prompt.max_tokens,
                stop=list(sampling.stop),
                seed=prompt.seed,
            )
            for prompt in prompts
        ]
        inputs = [{"prompt_token_ids": prompt.ids} for prompt in prompts]
        requests = self._llm.generate(inputs, params, use_tqdm=False)
        outputs = [request.outputs[0] for request in requests]
        return [
            Completion(one.text, one.finish_reason, len(prompt.ids), len(one.token_ids))
            for prompt, one in zip(prompts, outputs, strict=True)
        ]
