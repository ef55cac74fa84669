import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { MAX_MESSAGE_CHARACTERS, sanitise } from "./public-message.ts";

describe("keys, hosts, addresses and ids are hidden", () => {
  test.each([
    "sk-proj-AbCdEf123456",
    "sk-ant-api03-xyz_1234",
    "sk-****7890",
    "AIzaSyA1234567890abcdefg",
    "gsk_abcd1234efgh",
    "Bearer eyJhbGciOi.x.y",
    "svc_live_0123456789abcdef",
    "AKIAIOSFODNN7EXAMPLE",
    "https://api.acme.io/v1?key=1",
    "wss://x.y/z",
    "api.acme.com",
    "node-3.prod.internal:8443",
    "console.x.ai",
    "localhost:11434",
    "192.168.1.20",
    "10.0.0.1:443",
    "2001:db8:0:0:1:0:0:1",
    "::1",
    "ops@acme.example",
    "req_011CVEA3SF7rnb3DuBZytqQa",
    "org-a1B2c3D4",
    "proj_9Zy8Xw7",
    "0190c5f2-1111-7222-8333-944455556666",
    "rs_68c42de022c881948db7ed1cc2529f2e",
    "arn:aws:iam::123456789012:role/x",
    "projects/books-1/locations/eu",
    "user_2wT5ElBE4Es3R4QrNLpZ",
    "A1b2C3d4E5f6G7h8I9j0K1l2",
  ])("%s", (secret) => {
    expect(sanitise(`It failed: ${secret} again`, [])).toBe("It failed: [hidden] again");
  });

  test("and so are the secrets of the call", () => {
    expect(sanitise("No tenant blue-whale here", ["blue-whale", "a", ""])).toBe("No tenant [hidden] here");
  });
});

describe("no part of a secret remains", () => {
  const hidden = (message: string, ...secrets: string[]) => sanitise(message, secrets);

  test("if one secret is the beginning of another", () => {
    expect(hidden("No blue-whale-77 here", "blue-whale", "blue-whale-77")).toBe("No [hidden] here");
    expect(hidden("No blue-whale-77 here", "blue-whale-77", "blue-whale")).toBe("No [hidden] here");
  });

  test("if a long message is cut within it", () => {
    for (let at = 3_980; at <= 4_001; at++) {
      const message = `${"No".padEnd(at)}blue whale-seven${" ".repeat(100)}`;
      expect(hidden(message, "blue whale-seven", "blue")).toBe(at < 3_985 ? "No [hidden]" : "No");
    }
  });

  test("but a message that ends like the beginning of a secret stays unchanged", () => {
    expect(hidden("The sky is blue", "blue whale")).toBe("The sky is blue");
  });
});

describe("helpful text stays unchanged", () => {
  test.each([
    "messages.1.content: field required",
    "Unsupported value: 'messages[0].role' does not support 'developer' with this model.",
    "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens.",
    "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
    "The model `gpt-4.1-mini-2025-04-14` does not support tool file_search or user_location.",
    "tools.0.function.name: must match ^[a-zA-Z0-9_-]{1,64}$",
    "At 12:30 it was 3.5 times too large, i.e. 100%.",
  ])("%s", (message) => {
    expect(sanitise(message, [])).toBe(message);
  });
});

test("control characters and line breaks become spaces", () => {
  expect(sanitise(" a\u0000\r\n\tb\u001b[31m\u202ec\u2028d ", [])).toBe("a b [31m c d");
});

test("any message becomes a short single line, within 250 ms", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary", maxLength: 2_000 }),
    fc
      .array(fc.constantFrom("a.", "1.", ":", "@", "-", "sk-", "://", "a", "0", "🙂", "\n", " "), {
        maxLength: 3_000,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(nasty, (message) => {
      expect(fastestMs(() => sanitise(message, []), 1)).toBeLessThan(250);
      const text = sanitise(message, []);
      expect([...text].length).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS);
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }),
  );
});

test.each(["a.", "a", "1.", "0:", "a-", "@a", "sk-", "arn:", "ab1"])(
  "500,000 times %s is handled within 250 ms",
  (part) => {
    const text = part.repeat(500_000);
    expect(fastestMs(() => sanitise(text, []), 3, 250)).toBeLessThan(250);
  },
);
