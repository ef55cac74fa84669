import { expect, test } from "bun:test";
import { isContentRefusal } from "../contract/index.ts";
import { failedVideo } from "./failed-video.ts";

const REFUSALS = [
  // Recorded.
  "The prompt violated Prompt Injection and Jailbreak filters.",
  "The response violated Responsible AI Safety settings (Hate Speech, Harassment, Dangerous) filters.",
  "This request triggered restrictions on violative cyber content and was blocked under Anthropic's Usage Policy.",
  "SAFETY",
  // As providers document them or are known to write them.
  "NSFW content detected. Try running it again, or try a different prompt.",
  "All generated images contained NSFW content.",
  "The input or output was flagged as sensitive. Please try again with different inputs. (E005)",
  "Your request was rejected as a result of our safety system.",
  "This request has been blocked by our content filters.",
  "Content violates usage guidelines.",
  "Generated video rejected by content moderation.",
  "Failed check: SAFETY_CHECK_TYPE_BIO",
  "Lyrics violate the content policy",
  "Your prompt contains words that violate Gemini API's usage policies. Please modify it.",
  "All images were filtered out because they violated Vertex AI's usage guidelines.",
  "This prompt contains sensitive words that violate Google's Responsible AI practices.",
  "The request failed because the input text may contain sensitive information.",
  "InputTextSensitiveContentDetected",
  "OutputVideoSensitiveContentDetected.PolicyViolation",
  "input new_sensitive",
  "output is sensitive",
  "sensitive",
  "IMAGE_SAFETY",
  "INPUT_PREPROCESSING.SAFETY.TEXT",
  "PROHIBITED_CONTENT",
  "content_policy_violation",
  "The prompt was flagged by the safety checker.",
  "Safety checker detected something in this picture.",
  "Blocked for safety.",
  "The picture was withheld for safety reasons.",
  "It does not pass the safety filters.",
  "violates our safety rules",
  "The response violated a setting.",
  "This voice violates our terms of service.",
  "Terms of service violation",
  "prompt not allowed because advanced moderation failed",
  "content flagged as nsfw",
  "Content flagged for: sexual",
  "Your prompt was flagged.",
  "harmful",
  "This content may violate our guardrails concerning similarity to third-party content.",
  "The generated video was filtered due to safety.",
  "Failed safety classifier",
  "The prompt did not pass the safety review.",
  "Policies were violated",
  "This request violates xAI's acceptable use.",
  "Sensitive prompt",
  "output_new_sensitive",
  "Potential violation",
  "Due to safety, this could not be generated.",
  "Responses were withheld by safety classifiers.",
  "The uploaded image did not pass the safety checker.",
  "The safety checker found something at this URL.",
  // Beside technical trouble.
  "Sharing violation while writing the log; the prompt violates our guardrails.",
  "Could not load image: safety checker flagged it",
  "Could not load image; safety checker flagged it",
  "After loading, the safety checker flagged it",
  "Failed to download result: blocked by the safety checker",
  "Stopped by the safety checker: image not downloaded",
  "prompt violates the unique content policy constraint",
];

const TROUBLES = [
  "OSError: couldn't connect to the model hub to load CompVis/stable-diffusion-safety-checker",
  "Error while loading safety_checker/model.safetensors",
  "SAFETY_CHECKER_URL is not set",
  "Segmentation violation (core dumped)",
  "Exception: access violation reading 0x0000000000000000",
  "RuntimeError: sharing violation on /tmp/out.webp",
  "duplicate key value violates unique constraint",
  'new row violates row-level security policy for table "objects"',
  "KeyError: field names are case sensitive",
  "Header names are case-insensitive.",
  "a latency-sensitive queue was full",
  "thread safety of this tokenizer is not given",
  "The safety checker could not be loaded.",
  'insert on table "runs" violates foreign key constraint "runs_model"',
  'null value in column "id" violates not-null constraint',
  'conflicting key value violates exclusion constraint "runs_overlap"',
  "Integrity constraint violation: duplicate entry",
  "Violation of PRIMARY KEY constraint 'PK_jobs'",
  "Violation of UNIQUE KEY constraint 'UQ_jobs'",
  "The worker was flagged as unhealthy.",
  "CUDA out of memory. Tried to allocate 2.00 GiB",
  "",
];

test.each(REFUSALS)("%j is a content refusal", (text) => {
  expect(isContentRefusal(text)).toBe(true);
  expect(failedVideo(text, [])).toMatchObject({ reason: "content_filter" });
});

test.each(TROUBLES)("%j is a technical failure", (text) => {
  expect(isContentRefusal(text)).toBe(false);
  expect(failedVideo(text, [])).toMatchObject({ reason: "provider_error" });
});

test("a long text is searched at 3,000 characters but not at 5,000", () => {
  expect(isContentRefusal(`${"x".repeat(3_000)} nsfw`)).toBe(true);
  expect(isContentRefusal(`${"x".repeat(5_000)} nsfw`)).toBe(false);
});
