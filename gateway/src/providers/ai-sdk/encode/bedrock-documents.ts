import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";

/** The provider allows 200; the rest is for a number. */
const MOST_NAME_CHARACTERS = 190;

/**
 * Gives every document in the conversation a unique name: for two of the same name, even the same document attached
 * again, the provider refuses this and every following call. Counts from the first message, so that names never change
 * later.
 */
export function nameDocuments(prompt: LanguageModelV4Prompt): void {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  for (const document of prompt.flatMap(documentsOf)) {
    const plain = plainName(document.filename ?? "");
    const key = plain.toLowerCase();
    let name = plain;
    let count = counts.get(key) ?? 1;
    while (taken.has(name.toLowerCase())) name = `${plain} (${++count})`;
    counts.set(key, count);
    taken.add(name.toLowerCase());
    document.filename = name;
  }
}

/** The provider refuses a user's documents without text; their names are all there is to say. */
export function captionDocuments(prompt: LanguageModelV4Prompt): void {
  for (const message of prompt) {
    if (message.role !== "user" || message.content.some(({ type }) => type === "text")) continue;
    const names = documentsOf(message).map(({ filename }) => filename);
    if (names.length > 0) message.content.unshift({ type: "text", text: `Attached: ${names.join(", ")}` });
  }
}

function documentsOf(message: LanguageModelV4Message): LanguageModelV4FilePart[] {
  if (message.role === "user") return message.content.filter(isDocument);
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-result" && part.output.type === "content" ? part.output.value.filter(isDocument) : [],
  );
}

type Part = { readonly type: string; readonly mediaType?: string };

function isDocument<P extends Part>(part: P): part is P & LanguageModelV4FilePart {
  return part.type === "file" && !/^(image|video)\b/.test(part.mediaType ?? "");
}

/** Keeps the characters that the library keeps, which are those that the provider accepts. */
function plainName(filename: string): string {
  const [stem = ""] = filename.split(".", 1);
  const letters = stem.replaceAll(/\s+/g, " ").replaceAll(/[^a-zA-Z0-9 ()[\]-]/g, "");
  // Removed characters may leave several spaces.
  return letters.replaceAll(/ +/g, " ").slice(0, MOST_NAME_CHARACTERS).trim() || "document";
}
