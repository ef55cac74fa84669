import { z } from "zod";
import type { ImageOutcome } from "../../../generation/index.ts";

/**
 * What a reply says of its images beside them. The values that are published, and no others: clients that know a closed
 * list would reject the whole reply, and with it the images.
 */
export const imageFactsShape = {
  size: z.enum(["1024x1024", "1024x1536", "1536x1024"]).optional(),
  quality: z.enum(["low", "medium", "high"]).optional().describe("If the provider reports it."),
  output_format: z.enum(["png", "jpeg", "webp"]).optional(),
  usage: z
    .strictObject({
      input_tokens: z.int(),
      input_tokens_details: z.strictObject({ text_tokens: z.int(), image_tokens: z.int() }),
      output_tokens: z.int(),
      total_tokens: z.int(),
    })
    .optional()
    .describe("If the provider reports it; the price does not depend on it."),
};

const { size: SIZE, quality: QUALITY, output_format: FORMAT } = imageFactsShape;

export function encodeImageFacts({ images, size, report }: ImageOutcome) {
  const formats = new Set(images.map(({ mediaType }) => mediaType.slice("image/".length)));
  return {
    size: SIZE.safeParse(size).data,
    quality: QUALITY.safeParse(report?.quality).data,
    output_format: formats.size === 1 ? FORMAT.safeParse([...formats][0]).data : undefined,
    usage: report?.usage && encodeUsage(report.usage),
  };
}

/** All input is text: a prompt is all that these models are given. */
function encodeUsage({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { text_tokens: inputTokens, image_tokens: 0 },
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
