import { expect, test } from "bun:test";
import { ProviderFailure, type WireRequest } from "../../contract/index.ts";
import { MODEL, quote } from "../chat-call-testing.ts";

const [first, second] = ["one", "two"].map((provider) => ({ provider, model: `of-${provider}` }));
const model = { ...MODEL, targets: [first, second] } as typeof MODEL;

type Targets = { refusing: readonly string[]; unchecked?: string; isNative?: boolean };

function asked({ refusing, unchecked, isNative = false }: Targets) {
  const looks: string[] = [];
  const registry = {
    text: (provider: string) => ({
      ...(provider !== unchecked && {
        check(upstreamModel: string, { body }: WireRequest) {
          looks.push(`${upstreamModel} ${JSON.stringify(body)}`);
          if (refusing.includes(provider))
            throw new ProviderFailure("rejected", `plugins: not by ${provider}.`, { field: "plugins" });
        },
      }),
    }),
  };
  const texts = { isFixed: () => false, rewrite: () => ({}) };
  const wire = { kind: "chat_completions" as const, body: { plugins: [1] }, texts };
  return { looks, quoted: () => quote(isNative ? {} : { wire }, { model, registry }) };
}

test("a request that no target would serve is refused with the field's name", () => {
  const { looks, quoted } = asked({ refusing: ["one", "two"] });
  expect(quoted).toThrow(
    expect.objectContaining({
      code: "validation_error",
      message: "plugins: not by two.",
      options: expect.objectContaining({ field: "plugins" }),
    }),
  );
  expect(looks).toEqual(['of-one {"plugins":[1]}', 'of-two {"plugins":[1]}']);
});

test("a request that one target would serve is accepted, and later targets are not checked", () => {
  const later = asked({ refusing: ["one"] });
  expect(later.quoted().call.model.targets).toBe(model.targets);
  const sooner = asked({ refusing: ["two"] });
  sooner.quoted();
  expect(sooner.looks).toHaveLength(1);
});

test.each(["one", "two"])("a target without a check serves every request: %s", (unchecked) => {
  const { quoted } = asked({ refusing: ["one", "two"], unchecked });
  expect(quoted().call.model.targets).toBe(model.targets);
});

test("a request without the client's own body is not checked", () => {
  const native = asked({ refusing: ["one", "two"], isNative: true });
  native.quoted();
  expect(native.looks).toEqual([]);
});
