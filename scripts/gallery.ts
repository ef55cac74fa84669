/**
 * `npm run gallery [-- FOLDER [WORD…]]`: one sample of each medium, tier and style, every page of the console in both
 * themes and widths, and a page that shows them all.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { MadeFile } from "../gateway/src/contract/index.ts";
import { createRenderer } from "../sandbox/src/index.ts";
import { refuse } from "./command-options.ts";
import { consoleGallery } from "./gallery-console.ts";
import { galleryPage, type Shown } from "./gallery-page.ts";
import { gallerySamples, type Sample } from "./gallery-samples.ts";

const [folder = "gallery", ...words] = process.argv.slice(2);
/** Time limit for all samples together; what is not made by then is left out. */
const MAX_MS = 10 * 60_000;
const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "video/mp4": "mp4",
  "audio/mpeg": "mp3",
};

function refuseUnknown(): void {
  const sections = [...new Set(all.map(({ section }) => section)), "console"];
  const usage = `Usage: npm run gallery [-- FOLDER [WORD…]], with words of: ${sections.join(", ")}, or of a sample's name`;
  const option = [folder, ...words].find((word) => word.startsWith("-"));
  if (option !== undefined) refuse(`There is no option ${option}.\n\n${usage}`);
  const unknown = words.find((word) => word !== "console" && !all.some((sample) => isOf(sample, word)));
  if (unknown !== undefined) refuse(`There is no sample of "${unknown}".\n\n${usage}`);
}

/** The number tells samples apart whose names begin alike. */
function fileOf(at: number, { name, section }: Sample, mediaType: string): string {
  const words = `${section} ${name}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${String(at + 1).padStart(2, "0")}-${words.slice(0, 60).replace(/-$/, "")}.${ENDINGS[mediaType] ?? "bin"}`;
}

function noteOf({ bytes, width, height, durationMs }: MadeFile, tookMs: number): string {
  const size = width === null ? "" : `${width} × ${height}, `;
  const length = durationMs === null ? "" : `${(durationMs / 1000).toFixed(1)} s, `;
  return `${size}${length}${Math.round(bytes.byteLength / 1024)} KB, made in ${(tookMs / 1000).toFixed(2)} s`;
}

const all = gallerySamples();
const isOf = ({ section, name }: Sample, word: string) => `${section} ${name}`.includes(word);
refuseUnknown();
const samples = all.filter((sample) => words.length === 0 || words.some((word) => isOf(sample, word)));
await mkdir(folder, { recursive: true });
const renderer = createRenderer();
const deadline = AbortSignal.timeout(MAX_MS);
const shown: Shown[] = [];
let failed = 0;
for (const [at, sample] of samples.entries()) {
  const { section, name, job } = sample;
  const startedAt = performance.now();
  try {
    const made = await renderer.render(job, deadline);
    const file = fileOf(at, sample, made.mediaType);
    await Bun.write(join(folder, file), made.bytes);
    const note = noteOf(made, performance.now() - startedAt);
    shown.push({ section, name, file, mediaType: made.mediaType, note });
    console.log(`${section}: ${name}: ${note}`);
  } catch (error) {
    failed++;
    console.error(`${section}: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    if (deadline.aborted) break;
  }
}
await renderer.close();
if (words.length === 0 || words.includes("console")) {
  const pages = await consoleGallery(folder);
  if (pages === null) console.log("console: left out, since no Chromium runs on this machine");
  else shown.push(...pages);
}
await Bun.write(join(folder, "index.html"), galleryPage(shown));
console.log(`${shown.length} samples in ${folder}, open ${join(folder, "index.html")}`);
process.exit(failed === 0 ? 0 : 1);
