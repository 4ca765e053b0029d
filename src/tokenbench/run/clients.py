"""The clients by name, each imported only when it is used."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, cast

from tokenbench.errors import ClientError, missing_extra, unknown
from tokenbench.run.protocol import Client

_HOMES: Final = {
    "openai": ("openai_client", "OpenAIClient"),
    "vllm": ("vllm_client", "VLLMClient"),
    "transformers": ("transformers_client", "TransformersClient"),
}
CLIENTS: Final = tuple(_HOMES)


def client(kind: str, model: str, **options: Any) -> Client:
    """Return a client of a model, by the kind of its engine.

    Args:
        kind: `openai`, any server that speaks as OpenAI's; `vllm`, in this process;
            `transformers`, in this process.
        model: the model's name, or the folder of a local one.
        **options: those of the client's class: `tokenbench.run.openai_client.OpenAIClient`,
            `.vllm_client.VLLMClient`, `.transformers_client.TransformersClient`.

    Raises:
        UnknownNameError: another kind.
        MissingExtraError: its packages are not installed.
        ClientError: an option that it does not have.

    >>> client("openai", "smollm2", base_url="http://localhost:8000/v1").facts()["model"]
    'smollm2'
    """
    if kind not in _HOMES:
        raise unknown("client", kind, CLIENTS)
    if find_spec(kind) is None:  # package and extra are called as the client
        raise missing_extra(f"the client {kind!r}", kind)
    module, name = _HOMES[kind]
    made = getattr(import_module(f"tokenbench.run.{module}"), name)
    try:
        return cast(Client, made(model, **options))
    except TypeError as error:
        raise ClientError(f"the client {kind!r} cannot be made so: {error}") from None
