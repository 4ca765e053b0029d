"""A harness that asks from within the evaluation: verifiers' own ones download their programs."""

from typing import Any

import openai
import verifiers.v1 as vf

__all__ = ["DirectHarness"]


class DirectHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """One request, with the task's prompt."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,  # noqa: ARG002
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: vf.TaskData,
        **_: Any,
    ) -> vf.ProgramResult:
        """Ask the model through verifiers' own server, which writes the trace."""
        async with openai.AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as api:
            said: Any = [{"role": "user", "content": data.prompt}]
            await api.chat.completions.create(model=ctx.model, messages=said)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
