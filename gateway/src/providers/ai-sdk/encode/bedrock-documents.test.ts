import { afterEach, expect, test } from "bun:test";
import type { ChatMessage, ContentPart, FilePart } from "../../../contract/index.ts";
import { createBedrockProvider } from "../bedrock.ts";
import { callOf, startTestUpstream, type TestUpstream } from "../testing.ts";

const PDF = "data:application/pdf;base64,JVBERi0xLjQK";
const TOOLS = [{ name: "read", parameters: { type: "object", properties: {} } }];
const file = (filename?: string, data = PDF): FilePart => ({
  type: "file",
  data,
  ...(filename === undefined ? {} : { filename }),
});
const user = (...content: readonly ContentPart[]): ChatMessage => ({ role: "user", content });
const SAID: ChatMessage = { role: "assistant", content: "ok" };
const CALLED: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "c", name: "read", arguments: "{}" }],
};

type Block = {
  readonly text?: string;
  readonly document?: { readonly name: string };
  readonly toolResult?: { readonly content: readonly Block[] };
};

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sent(...messages: readonly ChatMessage[]): Promise<readonly (readonly Block[])[]> {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 403 }));
  const model = "us.anthropic.claude-sonnet-5";
  await callOf(upstream.provider(createBedrockProvider), { messages, tools: TOOLS }, { model });
  const body = upstream.sent[0]?.body as { readonly messages: { readonly content: readonly Block[] }[] };
  upstream.close();
  return body.messages.map(({ content }) => content);
}

async function namesOf(...messages: readonly ChatMessage[]): Promise<readonly string[]> {
  const blocks = (await sent(...messages)).flat();
  return blocks
    .flatMap((block) => [block, ...(block.toolResult?.content ?? [])])
    .flatMap(({ document }) => (document === undefined ? [] : [document.name]));
}

test("document names are unique in the whole conversation and contain only allowed characters", async () => {
  const again = [user({ type: "text", text: "compare" }, file("report.pdf")), SAID, user(file("report.pdf"))];
  expect(
    await namesOf(
      user(file("report.pdf"), file("report.csv", "data:text/csv;base64,YSxiCg==")),
      CALLED,
      { role: "tool", toolCallId: "c", content: [file("Report.v2.pdf")] },
      ...again,
      user(file("report (2).pdf"), file("日本.pdf"), file("a\u00a0_ b.pdf"), file(), file("document.pdf")),
    ),
  ).toEqual([
    ...["report", "report (2)", "Report (3)", "report (4)", "report (5)"],
    ...["report (2) (2)", "document", "a b", "document (2)", "document (3)"],
  ]);
});

test("long names stay distinct within 200 characters, and do not change when messages follow", async () => {
  const long = user(...Array.from({ length: 12 }, () => file(`${"a".repeat(300)}.pdf`)));
  const names = await namesOf(long);
  expect(new Set(names).size).toBe(12);
  expect(names.every((name) => name.length <= 200)).toBe(true);
  expect((await namesOf(long, SAID, user(file("b.pdf")))).slice(0, 12)).toEqual([...names]);
});

test("a message of documents only gets a text that lists them; one with text or an image does not", async () => {
  const [alone, , second] = await sent(user(file("a.pdf"), file("b.pdf")), SAID, user(file("c.pdf")));
  expect(alone?.map(({ text, document }) => text ?? document?.name)).toEqual(["Attached: a, b", "a", "b"]);
  expect(second?.[0]?.text).toBe("Attached: c");
  const [asked] = await sent(user(file("a.pdf"), { type: "text", text: "what?" }));
  expect(asked?.map(({ text }) => text)).toEqual([undefined, "what?"]);
  const picture = { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" } as const;
  const [shown] = await sent(user(picture));
  expect(shown).toHaveLength(1);
});
