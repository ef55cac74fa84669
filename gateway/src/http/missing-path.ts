import { NOTHING_AT_PATH } from "../kit/index.ts";

/** What was asked for at a path where nothing is: one of a closed set, for the log, and the message for the caller. */
export type Miss = { readonly name: string; readonly message: string };

/** `compact` and `input_tokens` are other endpoints, not ids of responses. */
const STORED_RESPONSE = /^\/v1\/responses\/(?!compact$|input_tokens$)[^/]/;

/** Endpoints that other services of the compatible wire have below `/v1/`; each covers the paths below it, too. */
const NOT_OFFERED: ReadonlyMap<string, string> = new Map([
  ["embeddings", "Embeddings are not offered here."],
  ["messages", "The messages wire is not offered here: use POST /v1/chat/completions or POST /v1/responses."],
  ["completions", "Completions without messages are not offered here: use POST /v1/chat/completions."],
  ["audio/speech", "Speech is not offered on this wire: use POST /functions/v1/api-v1-audio."],
  ["videos", "Videos are not offered on this wire: use POST /functions/v1/api-v1-video."],
  ["images/edits", "Image edits are not offered here; POST /v1/images/generations makes new ones."],
  ["audio/transcriptions", "Transcriptions are not offered here."],
  ["audio/translations", "Speech translations are not offered here."],
  ["moderations", "Moderations are not offered here."],
  ["files", "Files are not offered here: send them within a message."],
  ["batches", "Batches are not offered here: send each call by itself."],
  ["uploads", "Uploads are not offered here: send files within a message."],
  ["realtime", "Realtime sessions are not offered here: use POST /v1/responses with a stream."],
  ["fine_tuning", "Fine-tuning is not offered here."],
  ["rerank", "Reranking is not offered here."],
  ["vector_stores", "Vector stores are not offered here."],
  ["conversations", "Conversations are not offered here: send the whole input with each call."],
  ["assistants", "Assistants are not offered here: use POST /v1/responses."],
  ["responses/input_tokens", "Counting tokens is not offered here: each response reports them under usage."],
  [
    "responses/compact",
    "Compaction is not offered here: send everything that should be kept with each call.",
  ],
  ["images/variations", "Image variations are not offered here; POST /v1/images/generations makes new ones."],
]);

/** Google's wire writes what it calls behind the model's name. */
const BEHIND_MODEL =
  /\/models\/.+:(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/;
const GENERATE_CONTENT =
  "The generateContent wire is not offered here: use POST /v1/chat/completions or POST /v1/responses.";

const MAIN = "/functions/v1";
const COMPATIBLE = "/v1";
const MAIN_NAMES = ["chat", "images", "audio", "video", "usage", "assets", "models"];
const COMPATIBLE_NAMES = ["chat/completions", "responses", "images/generations", "models"];
/** What a shortened path most likely means. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["chat", "chat/completions"],
  ["images", "images/generations"],
]);

/** Whatever a base URL puts in front: a prefix repeated, the wrong one, or that of another service. */
const BEGINNINGS = /^.*\/v1(?=\/|$)/;
/** Longer paths are not typos, so nothing is suggested for them. */
const MAX_MEANT_CHARS = 200;

const OTHER = "other";
export const WHERE_ALL_ARE = "GET /docs lists all paths.";

/** For a background process: the other paths exist, but on other processes. */
export function explainHealthAlone(): Miss {
  const message = "This process does background work only; it answers /healthz, /readyz and /metrics.";
  return { name: OTHER, message };
}

/** Says why there is nothing at a path, and suggests what was probably meant. */
export function explainMissingPath(path: string): Miss {
  if (STORED_RESPONSE.test(path)) {
    const message =
      "Responses are not kept, so none can be fetched, listed or cancelled here: send the whole input with each call.";
    return { name: "responses", message };
  }
  const nothing = NOTHING_AT_PATH;
  const all = WHERE_ALL_ARE;
  if (path.length > MAX_MEANT_CHARS) return { name: OTHER, message: `${nothing} ${all}` };
  const behindModel = explainBehindModel(path);
  if (behindModel !== null) return behindModel;
  const name = path.replace(BEGINNINGS, "").replace(/^\/+/, "").replace(/\/+$/, "");
  if (name === "" && path !== "")
    return { name: OTHER, message: `${nothing} This is only a prefix of other paths. ${all}` };
  const meant = pathMeantBy(name, path.startsWith(MAIN));
  if (meant !== null) return { name: meant, message: `${nothing} Did you mean ${meant}? ${all}` };
  const offered = path.startsWith(MAIN) ? undefined : refusalOf(name);
  return { name: offered?.[0] ?? OTHER, message: `${offered?.[1] ?? nothing} ${all}` };
}

/** Null if the path does not end in a call of Google's wire. Below `/v1/models/` such a path is also one of ours. */
export function explainBehindModel(path: string): Miss | null {
  const [, called] = path.length > MAX_MEANT_CHARS ? [] : (BEHIND_MODEL.exec(path) ?? []);
  if (called === undefined) return null;
  const name = /embed/i.test(called) ? "embeddings" : "generateContent";
  return { name, message: `${NOT_OFFERED.get(name) ?? GENERATE_CONTENT} ${WHERE_ALL_ARE}` };
}

/** Matches the endpoint with any path below it, or after anything that a base URL put before it. */
function refusalOf(name: string): readonly [string, string] | undefined {
  const path = `/${name}/`;
  const offers = [...NOT_OFFERED];
  return (
    offers.find(([each]) => path.startsWith(`/${each}/`)) ??
    offers.find(([each]) => path.endsWith(`/${each}/`))
  );
}

function pathMeantBy(name: string, isOnMain: boolean): string | null {
  // Ids and the like belong in the query, so any rest of the path is ignored.
  const [, mainName = ""] = /^api-v1-([a-z]+)(?:\/|$)/.exec(name) ?? [];
  if (MAIN_NAMES.includes(mainName)) return `${MAIN}/api-v1-${mainName}`;
  if (isOnMain && MAIN_NAMES.includes(name)) return `${MAIN}/api-v1-${name}`;
  const whole = `/${SHORT_NAMES.get(name) ?? name}`;
  // Matched by its ending: a base URL may contain anything, even one of these paths.
  const compatibleName = COMPATIBLE_NAMES.find((each) => whole.endsWith(`/${each}`));
  return compatibleName === undefined ? null : `${COMPATIBLE}/${compatibleName}`;
}
