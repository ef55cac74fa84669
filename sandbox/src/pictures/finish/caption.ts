import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { brightness } from "../colour.ts";
import { FONT_FAMILY, loadFonts, writable } from "./fonts.ts";

const MARK = "sandbox";
/** On a background brighter than this, the text is dark. */
const PALE = 0.66;

type CaptionPlace = {
  /** In units: the shorter side is 1000. */
  readonly width: number;
  readonly height: number;
  readonly text: string;
  /** The caption may be left out on request; the mark stays. */
  readonly hasText: boolean;
  /** The background is bright, so the text is dark. */
  readonly isPale: boolean;
};

/** Draws the prompt in small letters at the bottom, and next to it the mark that says where the picture comes from. */
export function paintCaption(context: SKRSContext2D, place: CaptionPlace): void {
  const { width, height, text, hasText, isPale } = place;
  loadFonts();
  const margin = 30;
  const ink = isPale ? "rgba(38,36,58," : "rgba(255,255,255,";
  const words = hasText ? writable(text) : "";
  if (words !== "") paintShade(context, place);
  context.textBaseline = "alphabetic";
  const markWidth = paintMark(context, { right: width - margin, bottom: height - margin, ink });
  context.font = `500 20px ${FONT_FAMILY}`;
  context.fillStyle = `${ink}0.86)`;
  context.textAlign = "left";
  context.fillText(fitting(context, words, width - margin * 3 - markWidth), margin, height - margin - 2);
}

/** Keeps the text readable on any background. */
function paintShade(context: SKRSContext2D, { width, height, isPale }: CaptionPlace): void {
  const ground = isPale ? "rgba(252,248,240," : "rgba(8,10,24,";
  const shade = context.createLinearGradient(0, height - 120, 0, height);
  shade.addColorStop(0, `${ground}0)`);
  shade.addColorStop(isPale ? 0.6 : 1, `${ground}${isPale ? 0.8 : 0.5})`);
  context.fillStyle = shade;
  context.fillRect(0, height - 120, width, 120);
}

/** Whether the bottom rows are bright, judged by a sample of pixels. */
export function isPaleAtFoot({ canvas }: SKRSContext2D): boolean {
  const { width, height } = canvas;
  const rows = Math.max(1, Math.round(height * 0.05));
  const small = createCanvas(48, 4);
  const context = small.getContext("2d");
  context.drawImage(canvas, 0, height - rows, width, rows, 0, 0, 48, 4);
  const { data } = context.getImageData(0, 0, 48, 4);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4)
    sum += brightness([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]);
  return sum / (data.length / 4) > PALE;
}

function paintMark(
  context: SKRSContext2D,
  { right, bottom, ink }: { right: number; bottom: number; ink: string },
): number {
  context.font = `700 15px ${FONT_FAMILY}`;
  const width = context.measureText(MARK).width + 38;
  context.fillStyle = `${ink}0.18)`;
  context.beginPath();
  context.roundRect(right - width, bottom - 21, width, 28, 14);
  context.fill();
  context.fillStyle = `${ink}0.92)`;
  context.beginPath();
  context.arc(right - width + 15, bottom - 7, 4, 0, Math.PI * 2);
  context.fill();
  context.textAlign = "left";
  context.fillText(MARK, right - width + 25, bottom - 2);
  return width;
}

/**
 * Cut after a word, with an ellipsis, or within the first word if that alone is too long. A caption has at most 200
 * characters, so few cuts are tried.
 */
function fitting(context: SKRSContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const words = text.split(" ");
  for (let count = words.length - 1; count > 0; count--) {
    const shorter = `${words
      .slice(0, count)
      .join(" ")
      .replace(/[,.;:]$/, "")} …`;
    if (context.measureText(shorter).width <= width) return shorter;
  }
  const letters = [...(words[0] ?? "")];
  while (letters.length > 0 && context.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("")}…`;
}
