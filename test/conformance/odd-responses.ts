import fc from "fast-check";

type Json = Readonly<Record<string, unknown>>;
export type UpstreamEvent = Json & { readonly type: string };
/** A response, and the events with which a flawless server streams it. */
type UpstreamResponse = { readonly response: Json; readonly events: readonly UpstreamEvent[] };

const words = fc.constantFrom("a", "b c", "日本 ", '"q"', "\n");
const text = fc.record({
  type: fc.constant("output_text"),
  text: words,
  annotations: fc.constantFrom([], [{ type: "url_citation", url: "https://a.test", start_index: 0 }]),
  logprobs: fc.constant([]),
});
const refusal = fc.record({ type: fc.constant("refusal"), refusal: words });
const thought = (type: string) => fc.record({ type: fc.constant(type), text: words });
const some = <T>(each: fc.Arbitrary<T>, minLength = 0) => fc.array(each, { minLength, maxLength: 2 });
const call = { status: fc.constant("completed"), name: fc.constant("f") };

const item: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    type: fc.constant("message"),
    status: fc.constant("completed"),
    role: fc.constant("assistant"),
    content: some(fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: refusal }), 1),
  }),
  fc.record({
    type: fc.constant("reasoning"),
    summary: some(thought("summary_text")),
    content: some(thought("reasoning_text")),
    encrypted_content: fc.constantFrom(null, "e"),
  }),
  fc.record({ type: fc.constant("function_call"), ...call, arguments: fc.constantFrom("{}", '{"a":1}', "") }),
  fc.record({ type: fc.constant("custom_tool_call"), ...call, input: fc.constantFrom("+a", "") }),
  fc.record({ type: fc.constant("web_search_call"), status: fc.constant("completed") }),
);

/** `isCut`: the last item is unfinished. */
export const upstreamResponse: fc.Arbitrary<UpstreamResponse> = fc
  .tuple(fc.array(item, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([given, isCut]) => {
    const items = (JSON.parse(JSON.stringify(given)) as readonly Json[]).map((each, at): Json => {
      const isLast = isCut && at === given.length - 1 && "status" in each;
      const ids = { id: `i${at}`, ...("name" in each && { call_id: `c${at}` }) };
      return { ...each, ...ids, ...(isLast && { status: "incomplete" }) };
    });
    const status = isCut ? "incomplete" : "completed";
    const details = isCut ? { reason: "max_output_tokens" } : null;
    const response = { id: "r", object: "response", status, incomplete_details: details, output: items };
    const end = { type: `response.${status}`, response };
    return { response, events: [...items.flatMap(eventsOf), end] };
  });

function eventsOf(whole: Json, at: number): readonly UpstreamEvent[] {
  const { type, content, summary, arguments: given, input } = whole;
  const place = { item_id: whole["id"], output_index: at };
  const begun = {
    ...whole,
    ...("status" in whole && { status: "in_progress" }),
    ...(content !== undefined && { content: [] }),
    ...(summary !== undefined && { summary: [] }),
    ...(given !== undefined && { arguments: "" }),
    ...(input !== undefined && { input: "" }),
  };
  const within: UpstreamEvent[] = [
    ...partsOf(summary).flatMap((part, index) => summaryEvents(part, { ...place, summary_index: index })),
    ...partsOf(content).flatMap((part, index) => contentEvents(part, { ...place, content_index: index })),
  ];
  if (type === "function_call") {
    within.push(...said("function_call_arguments", "arguments", String(given), place));
  } else if (type === "custom_tool_call") {
    within.push(...said("custom_tool_call_input", "input", String(input), place));
  } else if (type === "web_search_call")
    within.push({ type: "response.web_search_call.completed", ...place });
  return [
    { type: "response.output_item.added", output_index: at, item: begun },
    ...within,
    { type: "response.output_item.done", output_index: at, item: whole },
  ];
}

function partsOf(parts: unknown): readonly Json[] {
  return Array.isArray(parts) ? parts : [];
}

function summaryEvents(part: Json, place: Json): readonly UpstreamEvent[] {
  return [
    { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
    ...said("reasoning_summary_text", "text", String(part["text"]), place),
    { type: "response.reasoning_summary_part.done", ...place, part },
  ];
}

function contentEvents(part: Json, place: Json): readonly UpstreamEvent[] {
  const { type, text, refusal, annotations } = part;
  const empty = refusal === undefined ? { ...part, text: "" } : { ...part, refusal: "" };
  const begun = annotations === undefined ? empty : { ...empty, annotations: [] };
  return [
    { type: "response.content_part.added", ...place, part: begun },
    ...said(String(type), refusal === undefined ? "text" : "refusal", String(text ?? refusal), place),
    ...partsOf(annotations).map((annotation, at) => ({
      type: "response.output_text.annotation.added",
      ...place,
      annotation_index: at,
      annotation,
    })),
    { type: "response.content_part.done", ...place, part },
  ];
}

function said(name: string, field: string, whole: string, place: Json): readonly UpstreamEvent[] {
  const deltas = [...whole].map((delta) => ({ type: `response.${name}.delta`, ...place, delta }));
  return [...deltas, { type: `response.${name}.done`, ...place, [field]: whole }];
}

const isOfItem = ({ response }: UpstreamEvent) => response === undefined;
const without = (pattern: RegExp) => (events: readonly UpstreamEvent[]) =>
  events.filter(({ type }) => !pattern.test(type));
const each =
  (change: (event: UpstreamEvent, at: number) => UpstreamEvent) => (events: readonly UpstreamEvent[]) =>
    events.map((event, at) => (isOfItem(event) ? change(event, at) : event));
const last = (change: (items: readonly Json[]) => readonly Json[]) => (events: readonly UpstreamEvent[]) =>
  events.map((event) => {
    if (isOfItem(event)) return event;
    const response = event["response"] as { readonly output: readonly Json[] };
    return { ...event, response: { ...response, output: change(response.output) } };
  });
const named = (event: UpstreamEvent, id: string | undefined): UpstreamEvent =>
  "item" in event ? { ...event, item: { ...(event["item"] as Json), id } } : { ...event, item_id: id };

/** Deviations of real servers that clients stumble over. */
const ODDITIES: Readonly<Record<string, (events: readonly UpstreamEvent[]) => readonly UpstreamEvent[]>> = {
  "names an item anew in every event": each((event, at) => named(event, `x${at}`)),
  "names an item anew in its last event": last((items) =>
    items.map((one) => ({ ...one, id: `y${one["id"]}` })),
  ),
  "names no item": (events) =>
    last((items) => items.map(({ id: _, ...one }) => one))(each((event) => named(event, undefined))(events)),
  "names all items alike": (events) =>
    last((items) => items.map((one) => ({ ...one, id: "same" })))(
      each((event) => named(event, "same"))(events),
    ),
  "numbers all items alike": each((event) => ({ ...event, output_index: 0 })),
  "numbers no item": each(({ output_index: _, ...event }) => event as UpstreamEvent),
  "numbers no part": each(({ content_index: _, summary_index: __, ...event }) => event as UpstreamEvent),
  "begins no item": without(/output_item\.added/),
  "ends no item": without(/output_item\.done/),
  "has its own name for a part of a thought": each((event) => {
    const isThought = (event["part"] as Json | undefined)?.["type"] === "reasoning_text";
    return isThought ? { ...event, type: event.type.replace("content_part", "reasoning_part") } : event;
  }),
  "begins and ends no part": without(/part\.(added|done)/),
  "says nothing whole": without(/(?:text|refusal|arguments|input)\.done/),
  "tells of ended items alone": without(/^(?!response\.(?:output_item\.done|completed|incomplete))/),
  "tells of nothing before its end": (events) => events.slice(-1),
  "tells of its first item at the end alone": (events) => {
    const first = events[0] as UpstreamEvent;
    const id = (first["item"] as Json)["id"];
    return events.filter(
      (event) => !isOfItem(event) || (event["item_id"] ?? (event["item"] as Json)?.["id"]) !== id,
    );
  },
  "leaves the output of its last event empty": last(() => []),
  "says what it wrote only once it is whole": without(/(?:text|refusal|arguments|input)\.delta/),
  "leaves out what goes without saying": (events) => events.map((event) => bare(event) as UpstreamEvent),
  "says null where nothing is to be said": (events) =>
    events.map((event) => bare(event, null) as UpstreamEvent),
};

/** Values that an item or part may omit: those it always has, and those that mean empty. */
const UNSAID: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  message: { status: ["completed", "in_progress"], role: ["assistant"], content: [] },
  function_call: { status: ["completed", "in_progress"] },
  custom_tool_call: { status: ["completed", "in_progress"] },
  reasoning: { summary: [] },
  output_text: { annotations: [], logprobs: [] },
};

function bare(given: unknown, unsaid?: null): unknown {
  if (Array.isArray(given)) return given.map((each) => bare(each, unsaid));
  if (typeof given !== "object" || given === null) return given;
  const may = UNSAID[String((given as Json)["type"])] ?? {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isEmpty = Array.isArray(value) && value.length === 0;
      const isUnsaid = name in may && (isEmpty || may[name]?.includes(value));
      return [name, isUnsaid ? unsaid : bare(value, unsaid)];
    }),
  );
}

const BOTH: readonly (readonly [string, string])[] = [
  ["numbers no item", "numbers no part"],
  ["numbers no part", "begins and ends no part"],
  ["names no item", "numbers no item"],
  ["names no item", "numbers all items alike"],
  ["names an item anew in every event", "ends no item"],
  ["begins no item", "begins and ends no part"],
  ["ends no item", "leaves the output of its last event empty"],
  ["leaves out what goes without saying", "leaves the output of its last event empty"],
];

/** The flawless server, each oddity alone, and some pairs of them. */
export const ODD_SERVERS: Readonly<
  Record<string, (events: readonly UpstreamEvent[]) => readonly UpstreamEvent[]>
> = {
  "does all as it should": (events) => events,
  ...ODDITIES,
  ...Object.fromEntries(
    BOTH.map(([one, other]) => [
      `${one} and ${other}`,
      (events: readonly UpstreamEvent[]) => ODDITIES[other]?.(ODDITIES[one]?.(events) ?? []) ?? [],
    ]),
  ),
};
