"""Llamas of twelve thousand weights, and tokenizers trained on a sentence."""

ACCEPTED = "You have been selected"
REJECTED = "We regret to inform you"
CHAT_TEMPLATE = (
    "{% for message in messages %}<user>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<answer>{% endif %}"
)

_START, _END = "<s>", "</s>"
_SPECIAL = [_START, _END, "<user>", "<answer>"]
_HIDDEN = 16


def tokenizer(*, chat_template=None):
    """Return a byte-level tokenizer in which each of the two decisions is one token."""
    import tokenizers
    import transformers
    from tokenizers import decoders, models, pre_tokenizers, trainers

    trained = tokenizers.Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=_SPECIAL, initial_alphabet=alphabet)
    trained.train_from_iterator(["Write an e-mail to the candidate for the role of a nurse."] * 3, trainer)
    trained.add_tokens([ACCEPTED, REJECTED])
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=trained, bos_token=_START, eos_token=_END)
    wrapped.chat_template = chat_template
    return wrapped


def babbling_llama(*, context=2048, seed=0):
    """Return a Llama with random weights, large enough that its answers depend on all of the prompt."""
    import torch
    import transformers

    torch.manual_seed(seed)
    words = tokenizer()
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=_HIDDEN,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=context,
        initializer_range=1.0,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
    )
    return transformers.LlamaForCausalLM(config)


def deciding_llama():
    """Return a Llama that answers with one of the two phrases, by what attention brings of the prompt."""
    import torch

    model = babbling_llama()
    words = tokenizer()
    accepted, rejected, answer = words.convert_tokens_to_ids([ACCEPTED, REJECTED, "<answer>"])
    begin, ended, side = 0, 1, 2  # directions of the hidden state
    with torch.no_grad():
        embedding, head = model.model.embed_tokens.weight, model.lm_head.weight
        # The last token says what comes next; attention adds a little of the prompt to it.
        model.model.layers[0].self_attn.o_proj.weight *= 0.1
        model.model.layers[0].mlp.down_proj.weight.zero_()
        for token, direction in ((answer, begin), (accepted, ended), (rejected, ended)):
            embedding[token] = 0
            embedding[token, direction] = 30.0
        head.zero_()
        head[words.eos_token_id, ended] = 20.0
        for token, sign in ((accepted, 1.0), (rejected, -1.0)):
            head[token, begin] = 20.0
            head[token, side] = 10.0 * sign
    return model


def save(model, words, folder):
    model.save_pretrained(folder)
    words.save_pretrained(folder)
