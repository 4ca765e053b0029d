"""A language model small enough to train on one core, and its tokenizer, both made in code.

Words of the questions' wordings are tokens, all else is characters: so the letters that the tasks
are about are what the model reads and writes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from string import ascii_lowercase

import torch
from tokenizers import Regex, Tokenizer
from tokenizers.decoders import Fuse
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SPECIAL = ("<pad>", "<eos>", "<unk>")
COMMON = 0.05  # of the prompts hold a word that becomes a token
CLOSING = 0.9  # of the prompts end with a paragraph that becomes one, for it asks nothing


def tokenizer_of(texts: Sequence[str]) -> PreTrainedTokenizerFast:
    """Return a tokenizer of the characters, tags and common words of prompts.

    A word is taken with the space before it, so that what stands in quotation marks is always
    characters. The paragraph that ends nearly all prompts is a single token.
    """
    endings = Counter("\n\n" + text.rpartition("\n\n")[2] for text in texts)
    closing = [end for end, count in endings.items() if count >= CLOSING * len(texts)]
    seen = Counter(word for text in texts for word in set(re.findall(r" [A-Za-z]{2,}", text)))
    words = sorted(word for word, count in seen.items() if count >= COMMON * len(texts))
    tags = ["<answer>", "</answer>"]
    chars = sorted({char for text in texts for char in text} | {*ascii_lowercase, ",", " "})
    tokens = [*SPECIAL, *closing, *tags, *words, *chars]
    vocab = {token: place for place, token in enumerate(tokens)}
    pieces = [*map(re.escape, closing), *tags, *(rf"{word}(?!\w)" for word in words), r"[\s\S]"]
    inner = Tokenizer(WordLevel(vocab, unk_token="<unk>"))
    inner.pre_tokenizer = Split(Regex("|".join(pieces)), "isolated")
    inner.decoder = Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        eos_token="<eos>",
        unk_token="<unk>",
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )


def model_of(tokenizer: PreTrainedTokenizerFast, seed: int) -> LlamaForCausalLM:
    """Return a Llama of half a million parameters that knows nothing yet."""
    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=128,
            intermediate_size=256,
            num_hidden_layers=3,
            num_attention_heads=4,
            max_position_embeddings=256,
            tie_word_embeddings=True,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


def teach(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    pairs: Iterable[Sequence[tuple[str, str]]],
    steps: int,
    rate: float = 3e-3,
) -> Iterable[float]:
    """Train a model on batches of prompts and right completions, and yield the loss of each."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    end = tokenizer.eos_token_id
    model.train()
    for batch, _ in zip(pairs, range(steps), strict=False):
        asked = [tokenizer(prompt)["input_ids"] for prompt, _ in batch]
        said = [[*tokenizer(completion)["input_ids"], end] for _, completion in batch]
        width = max(len(a) + len(b) for a, b in zip(asked, said, strict=True))
        ids = torch.full((len(batch), width), tokenizer.pad_token_id)
        labels = torch.full((len(batch), width), -100)
        for row, (a, b) in enumerate(zip(asked, said, strict=True)):
            ids[row, : len(a) + len(b)] = torch.tensor([*a, *b])
            labels[row, len(a) : len(a) + len(b)] = torch.tensor(b)
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        yield loss.item()


@torch.no_grad()
def completions_of(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    prompts: Sequence[str],
    *,
    most: int,
    batch: int = 120,
) -> list[str]:
    """Return the model's greedy completions."""
    model.eval()
    found: list[str] = []
    for start in range(0, len(prompts), batch):
        given = tokenizer(list(prompts[start : start + batch]), padding=True, return_tensors="pt")
        rows = model.generate(
            input_ids=given["input_ids"],
            attention_mask=given["attention_mask"],
            max_new_tokens=most,
            do_sample=False,
        )
        width = given["input_ids"].shape[1]
        found += tokenizer.batch_decode(rows[:, width:], skip_special_tokens=True)
    return found
