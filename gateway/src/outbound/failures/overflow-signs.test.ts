import { describe, expect, test } from "bun:test";
import { failureOf } from "./failure-of.ts";

const kindOf = (status: number, body: unknown) => failureOf({ status, body }).kind;

describe("a prompt that does not fit is context_overflow", () => {
  test.each([
    ["openai", 400, { error: { message: "Too much.", code: "context_length_exceeded" } }],
    ["openai, by words", 400, { error: { message: "Your input exceeds the context window of this model." } }],
    [
      "openai, at the rate limit",
      429,
      { error: { message: "Request too large for m: Limit 10, Requested 20.", code: "rate_limit_exceeded" } },
    ],
    [
      "anthropic",
      400,
      {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 300 tokens > 200 maximum" },
      },
    ],
    [
      "anthropic, with the answer",
      400,
      { error: { message: "input length and `max_tokens` exceed context limit: 9 + 9 > 10" } },
    ],
    [
      "google",
      400,
      {
        error: {
          code: 400,
          message: "The input token count (30) exceeds the maximum number of tokens allowed (20).",
        },
      },
    ],
    [
      "mistral",
      400,
      {
        message:
          "Prompt contains 50 tokens and 0 draft tokens, too large for model with 40 maximum context length",
      },
    ],
    [
      "groq",
      413,
      {
        error: {
          message: "Please reduce the length of the messages or completion.",
          code: "context_length_exceeded",
        },
      },
    ],
    [
      "xai",
      400,
      {
        code: "invalid-argument",
        error: "This model's maximum prompt length is 100 but the request contains 200 tokens.",
      },
    ],
    [
      "deepseek",
      400,
      {
        error: {
          message: "This model's maximum context length is 100 tokens. However, you requested 200 tokens",
        },
      },
    ],
    [
      "openrouter",
      400,
      { error: { message: "This endpoint's maximum context length is 100 tokens.", code: 400 } },
    ],
    [
      "a router's provider",
      400,
      {
        error: {
          message: "Provider returned error",
          metadata: { raw: '{"error":{"code":"context_length_exceeded"}}' },
        },
      },
    ],
    [
      "llama.cpp",
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size",
          type: "exceed_context_size_error",
        },
      },
    ],
    [
      "llama.cpp, older",
      500,
      { error: { code: 500, message: "the request exceeds the available context size" } },
    ],
    ["ollama", 400, { error: { message: "prompt too long; exceeded max context length by 12 tokens" } }],
    ["cohere", 400, { error_type: "TOO_MANY_TOKENS", message: "too many tokens" }],
    [
      "perplexity",
      400,
      { error: { message: "The total length is wrong.", type: "too_many_prompt_tokens", code: 400 } },
    ],
    [
      "sglang",
      400,
      {
        object: "error",
        message: "The input (30 tokens) is longer than the model's context length (20 tokens).",
        type: "BadRequestError",
        code: 400,
      },
    ],
    [
      "vllm",
      400,
      {
        error: {
          message:
            "You passed 30 input tokens and requested 0 output tokens. However, the model's context length is only 20 tokens, resulting in a maximum input length of 20 tokens.",
          type: "BadRequestError",
        },
      },
    ],
    [
      "moonshot",
      400,
      {
        error: {
          message: "Invalid request: Your request exceeded model token limit: 20 (requested: 30)",
          type: "invalid_request_error",
        },
      },
    ],
    [
      "alibaba",
      400,
      { error: { message: "Range of input length should be [1, 20]", code: "invalid_parameter_error" } },
    ],
    ["ollama, newer", 400, { error: "the input length exceeds the context length" }],
    [
      "lm studio",
      400,
      {
        error:
          "Trying to keep the first 30 tokens when context the overflows. However, the model is loaded with context length of only 20 tokens",
      },
    ],
    [
      "text generation inference",
      422,
      {
        error:
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 20. Given: 30 `inputs` tokens",
        error_type: "validation",
      },
    ],
    ["bedrock", 400, { message: "Input Tokens Exceeded: Number of input tokens exceeds maximum length." }],
  ])("%s", (_, status, body) => {
    expect(kindOf(status, body)).toBe("context_overflow");
  });

  test.each([
    ["z.ai", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
    [
      "z.ai, by tokens",
      400,
      { error: { code: "1210", message: "tokens in request more than max tokens allowed" } },
    ],
    ["minimax", 400, { error: { message: "invalid params, context window exceeds limit (2013)" } }],
    ["copilot", 400, { error: { message: "Too big a prompt.", code: "model_max_prompt_tokens_exceeded" } }],
    [
      "github models",
      413,
      { error: { code: "tokens_limit_reached", message: "Request body too large for a model." } },
    ],
    [
      "workers ai",
      400,
      {
        errors: [
          {
            message:
              "AiError: The estimated number of input and maximum output tokens (30) exceeded this model context window limit (20).",
            code: 5021,
          },
        ],
      },
    ],
    [
      "text generation inference",
      422,
      { error: "Input validation error: `inputs` must have less than 20 tokens. Given: 30" },
    ],
    ["deepinfra", 400, { detail: { error: "inputs tokens + max_new_tokens must be <= 20" } }],
    [
      "sambanova",
      400,
      {
        error: {
          message:
            "The provided prompt is 30 tokens long, so generating 1 tokens requires a sequence length of 31, but the maximum supported sequence length is just 20!",
        },
      },
    ],
    [
      "siliconflow",
      400,
      { code: 20015, message: "length of prompt_tokens (30) must be less than max_seq_len (20)." },
    ],
    ["tabby", 400, { detail: "Context length 30 is greater than max_seq_len 20" }],
    ["volcengine", 400, { error: { message: "Total tokens of image and text exceed max message tokens." } }],
    [
      "vllm, with pictures",
      400,
      { message: "The decoder prompt (length 30) is longer than the maximum model length of 20." },
    ],
    ["vllm, newer", 400, { message: "The prompt (length 30) exceeds the maximum model length of 20" }],
    ["nim", 400, { message: "Prompt length (30) exceeds maximum input length (20)." }],
    [
      "poolside",
      400,
      { error: { message: "Input length (30) exceeds the maximum allowed input length of 20 tokens." } },
    ],
    [
      "lm studio, while it answers",
      400,
      {
        error:
          "Reached context length of 20 tokens with model (arch: a) that does not currently support mid-generation context overflow.",
      },
    ],
    [
      "litellm",
      400,
      { error: { message: "litellm.ContextWindowExceededError: litellm.BadRequestError: no", code: "400" } },
    ],
    ["baidu", 400, { error: { code: "tokens_too_long", message: "No." } }],
    ["hunyuan", 400, { error: { message: "input length too long" } }],
    [
      "watsonx",
      400,
      {
        errors: [
          {
            code: "invalid_input_argument",
            message: "the number of input tokens 30 cannot exceed the total tokens limit 20 for this model",
          },
        ],
      },
    ],
    [
      "stepfun",
      400,
      { error: { message: "The total tokens of messages is 30, which exceeds the max context length 20" } },
    ],
    ["lmdeploy", 400, { message: "The input length 30 exceeds session_len 20" }],
    ["llama.cpp, full", 500, { error: { code: 500, message: "Context size has been exceeded." } }],
    ["llama.cpp, full before", 500, { error: { code: 500, message: "context size exceeded" } }],
  ])("in the words of other vendors: %s", (_, status, body) => {
    expect(kindOf(status, body)).toBe("context_overflow");
  });

  test.each([
    "max_tokens is too large: 99999. This model supports at most 4096 completion tokens.",
    "max_tokens 70000 is greater than max_seq_len 65536",
    "`max_completion_tokens` cannot exceed the total tokens limit",
    "max_tokens: context size exceeded",
    "tools[0].function.description exceeds maximum input length of 1024",
    "stop: input length too long",
    "`user`: prompt exceeds max length",
    "image url: input length too long",
  ])("but a limit on another field is rejected: %s", (message) => {
    expect(kindOf(400, { error: { message } })).toBe("rejected");
  });

  test.each([
    "messages[0].content: input length too long",
    "User prompt exceeds max length",
    "Stop here: prompt exceeds max length",
    "litellm.BadRequestError: Prompt exceeds max length",
    "max_tokens is too large: this model's maximum context length is 20 tokens",
  ])("even if the message seems to name another field: %s", (message) => {
    expect(kindOf(400, { error: { message } })).toBe("context_overflow");
  });

  test.each([
    ["bedrock", { message: "Too many tokens, please wait before trying again." }],
    ["bedrock, per day", { message: "Too many tokens per day, please wait before trying again." }],
    [
      "cerebras",
      {
        message: "Tokens per minute limit exceeded - too many tokens processed.",
        type: "too_many_tokens_error",
        param: "quota",
        code: "token_quota_exceeded",
      },
    ],
    ["github models", { error: { code: "tokens_limit_reached", message: "TPM limit reached" } }],
    ["google", { message: "The input token count (30) exceeds the maximum number of tokens allowed (20)." }],
    ["bedrock, of a model", { message: "Input tokens exceeded." }],
    ["per minute", { message: "Your input exceeds the tokens per minute." }],
  ])("but a limit on tokens per time is rate_limited: %s", (_, body) => {
    expect(kindOf(429, body)).toBe("rate_limited");
  });

  test.each([
    ["a code", { message: "No.", code: "context_length_exceeded" }],
    ["a message", { message: "This model's maximum context length is 20 tokens. However, you have 30" }],
    ["a length", { message: "Prompt exceeds max length" }],
  ])("even with a 429 if %s says so", (_, error) => {
    expect(kindOf(429, { error })).toBe("context_overflow");
  });
});
