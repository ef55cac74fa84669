import type { MadeFile } from "../../../gateway/src/contract/index.ts";

/** The render process's reply to a job. */
export type RenderReply =
  | { readonly outcome: "made"; readonly file: MadeFile }
  /** Our own text, meant for the caller. */
  | { readonly outcome: "refused"; readonly publicMessage: string }
  | { readonly outcome: "failed"; readonly internal: string };

/** The process decodes untrusted files, so the gateway accepts only the expected shape. */
export function decodeReply(value: unknown): RenderReply {
  const reply = recordOf(value);
  if (reply["outcome"] === "made") {
    const file = recordOf(reply["file"]);
    const { bytes, mediaType } = file;
    if (bytes instanceof Uint8Array && bytes.byteLength > 0 && typeof mediaType === "string") {
      return {
        outcome: "made",
        file: {
          bytes,
          mediaType,
          width: wholeOf(file["width"]),
          height: wholeOf(file["height"]),
          durationMs: wholeOf(file["durationMs"]),
        },
      };
    }
  }
  if (reply["outcome"] === "refused") {
    return { outcome: "refused", publicMessage: String(reply["publicMessage"]).slice(0, 300) };
  }
  return { outcome: "failed", internal: String(reply["internal"]).slice(0, 500) };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function wholeOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
