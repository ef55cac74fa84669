const CHAT = "/functions/v1/api-v1-chat";
const COMPLETIONS = "/v1/chat/completions";
const VIDEO = "/functions/v1/api-v1-video";
const RESPONSES = "/v1/responses";
const HEAD = '{"model":"sandbox-chat","messages":[{"role":"user","content":"hi"}],"x":';

/**
 * Bodies within every size limit that are made to keep us busy. `says` is how the refusal begins; null if there is
 * none.
 */
type HeavyBody = {
  readonly name: string;
  readonly path: string;
  readonly says: string | null;
  make(): Buffer;
};

/** A body that reaches a provider unless it is refused; each wire decodes and encodes it in its own way. */
type HeavyPrompt = { readonly name: string; readonly path: string; make(model: string): Buffer };

const list = (count: number, item: string) => Buffer.from(`${HEAD}[${`${item},`.repeat(count - 1)}${item}]}`);
const saying = (content: unknown, model: string) =>
  Buffer.from(JSON.stringify({ model, messages: [{ role: "user", content }] }));

/** As a tool result, because compaction examines those most closely. */
function said(rows: readonly string[]): Buffer {
  const call = { id: "c", type: "function", function: { name: "get", arguments: "{}" } };
  const messages = [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: `[${rows.join(",\n")}]` },
  ];
  return Buffer.from(JSON.stringify({ model: "sandbox-chat", messages }));
}

/** A video that consists of nothing but nested boxes. */
function crowdedVideo(): Buffer {
  const box = (type: string, inside: Buffer) => {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(inside.length + 8);
    header.write(type, 4, "latin1");
    return Buffer.concat([header, inside]);
  };
  const moov = box("moov", Buffer.concat(Array<Buffer>(760).fill(box("trak", Buffer.alloc(0)))));
  const brand = box("ftyp", Buffer.from("isom\0\0\0\0isom", "latin1"));
  const video = Buffer.concat([brand, ...Array<Buffer>(4_000).fill(moov)]).toString("base64");
  return Buffer.from(JSON.stringify({ model: "sandbox-video", prompt: "x", reference_video: video }));
}

const megabyteOf = (unit: string) => unit.repeat(1_000_000 / Buffer.byteLength(unit));

/** Put where the URL or the data of an image or a file belongs. */
const ADDRESSES = [
  ...["data:", "data:;", "data:a/b;base64,", "http://", "https://a/", ""].map((head) => [head, "a"] as const),
  ...[";", ",", "=", " ", "%", ";base64"].map((unit) => ["data:a/b", unit] as const),
  ["https://a/", "../"],
  ["https://a/?", "%"],
  ["https://", "a."],
  ["", "data:"],
] as const;

export const HEAVY_PARTS = ADDRESSES.flatMap(([head, unit]): readonly HeavyPrompt[] => {
  const address = () => `${head}${megabyteOf(unit)}`;
  const what = `${JSON.stringify(head)} and a megabyte of ${JSON.stringify(unit)}`;
  const filename = "a.pdf";
  return [
    {
      name: `an image at ${what}`,
      path: COMPLETIONS,
      make: (model) => saying([{ type: "image_url", image_url: { url: address() } }], model),
    },
    {
      name: `a file at ${what}`,
      path: COMPLETIONS,
      make: (model) => saying([{ type: "file", file: { filename, file_data: address() } }], model),
    },
    {
      name: `a file in a response at ${what}`,
      path: RESPONSES,
      make: (model) => {
        const content = [{ type: "input_file", filename, file_data: address() }];
        return Buffer.from(JSON.stringify({ model, input: [{ role: "user", content }] }));
      },
    },
  ];
});

const UNITS = ["a", "(", "9", "133,", " ", "\n", "\\", '"', "a.", "é", "👩‍👩‍👧"];

/** Text only: every provider handles it alike, except for the final encoding. */
export const HEAVY_TEXTS: readonly HeavyPrompt[] = UNITS.map((unit) => ({
  name: `a megabyte of ${JSON.stringify(unit)}`,
  path: CHAT,
  make: (model: string) => saying(megabyteOf(unit), model),
}));

/** Results of a shell, each of them short enough to be compacted. */
function shellResults(count: number, text: string, model: string): Buffer {
  const messages = Array.from({ length: count }, (_, at) => {
    const id = `c${at}`;
    const call = { id, type: "function", function: { name: "Bash", arguments: "{}" } };
    return [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: text + at },
    ];
  });
  return Buffer.from(JSON.stringify({ model, messages: messages.flat() }));
}

/** A schema whose definitions refer to the next two. */
function schemaChain(length: number, model: string): Buffer {
  const ref = (at: number) => ({ $ref: `#/$defs/d${at}` });
  const $defs = Object.fromEntries(
    Array.from({ length }, (_, at) => [`d${at}`, { anyOf: [ref(at + 1), ref(at + 2)] }]),
  );
  const schema = { type: "object", properties: { a: ref(0) }, $defs };
  const response_format = { type: "json_schema", json_schema: { name: "a", schema } };
  return Buffer.from(JSON.stringify({ model, messages: [{ role: "user", content: "hi" }], response_format }));
}

export const HEAVY_PROMPTS: readonly HeavyPrompt[] = [
  {
    name: "four megabytes of moves of the cursor in shell results",
    path: COMPLETIONS,
    make: (model) => shellResults(21, "\x1b[9C\x1b[H".repeat(27_000), model),
  },
  {
    name: "sixteen megabytes of blanks",
    path: COMPLETIONS,
    make: (model) => saying(" ".repeat(16_000_000), model),
  },
  {
    name: "a chain of twenty thousand definitions in a schema",
    path: COMPLETIONS,
    make: (model) => schemaChain(20_000, model),
  },
];

export const HEAVY_BODIES: readonly HeavyBody[] = [
  ...[...HEAVY_TEXTS, ...HEAVY_PARTS].map(({ name, path, make }) => ({
    ...{ name, path, says: null },
    make: () => make("sandbox-chat"),
  })),
  {
    name: "a field of ten megabytes",
    path: COMPLETIONS,
    says: "messages: This model's maximum context length is",
    make: () => Buffer.from(`${HEAD}"${"a".repeat(10_000_000)}"}`),
  },
  {
    name: "a hundred thousand messages",
    path: CHAT,
    says: "messages: must be a list",
    make: () =>
      Buffer.from(
        `{"model":"sandbox-chat","messages":[${'{"role":"user","content":"x"},'.repeat(99_999)}{"role":"user","content":"x"}]}`,
      ),
  },
  {
    name: "ten million lists",
    path: COMPLETIONS,
    says: "body: must have at most",
    make: () => list(10_000_000, "[]"),
  },
  {
    name: "fifteen million numbers",
    path: COMPLETIONS,
    says: "body: must have at most",
    make: () => list(15_000_000, "1"),
  },
  {
    name: "four million objects",
    path: COMPLETIONS,
    says: "body: must have at most",
    make: () => list(4_000_000, '{"a":1}'),
  },
  {
    name: "three hundred thousand strings that look like an escaped NUL",
    path: COMPLETIONS,
    says: "messages: This model's maximum context length is",
    make: () => list(300_000, '"\\\\u0000"'),
  },
  {
    name: "three hundred thousand different short strings",
    path: COMPLETIONS,
    says: "messages: This model's maximum context length is",
    make: () =>
      Buffer.from(`${HEAD}[${Array.from({ length: 300_000 }, (_, at) => `"${at}\\n"`).join(",")}]}`),
  },
  {
    name: "two million escaped characters",
    path: COMPLETIONS,
    says: "messages: This model's maximum context length is",
    make: () => Buffer.from(`${HEAD}"${"\\u4e2d".repeat(2_000_000)}"}`),
  },
  {
    name: "tables of JSON in a message",
    path: COMPLETIONS,
    says: "messages: This model's maximum context length is",
    make: () => said(Array.from({ length: 200_000 }, (_, at) => `{"a": ${at}, "b": "x", "c": null}`)),
  },
  {
    name: "a hundred thousand levels",
    path: CHAT,
    says: "body: must not be nested deeper",
    make: () => Buffer.from("[".repeat(100_000)),
  },
  {
    name: "a million names of one field",
    path: VIDEO,
    says: "body: must",
    make: () =>
      Buffer.from(
        `{"model":"sandbox-video","prompt":"x","reference_image":${'"reference_image":"'.repeat(1_000_000)}`,
      ),
  },
  {
    name: "video of three million boxes",
    path: VIDEO,
    says: "reference_video: must be a whole file",
    make: crowdedVideo,
  },
];
