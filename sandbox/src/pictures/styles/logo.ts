import { Path2D } from "@napi-rs/canvas";
import { brightness, darken, lighten, mix, type Rgb } from "../colour.ts";
import { FONT_FAMILY, loadFonts, writable } from "../finish/fonts.ts";
import { sparkle } from "../sky/stars.ts";
import { ellipse, everywhere, flat } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import type { Figure } from "../subjects/figure.ts";
import { figureOf } from "../subjects/figure-list.ts";
import { paintFigure } from "../subjects/paint-figure.ts";
import { initialsOf } from "./initials.ts";
import { quotedWords } from "./quoted-words.ts";
import { type Swatches, swatchesOf } from "./swatches.ts";

const SMALL_WORDS = new Set(
  "a an the of in on at with and or for by to from logo emblem badge brand branding crest monogram app icon design modern minimal minimalist simple flat vector company called named style".split(
    " ",
  ),
);

/** An emblem in the middle, the name below it. */
export function logoLayers(stage: Stage): Layer[] {
  const random = stage.random("logo");
  const swatches = swatchesOf(stage, random);
  const { width, height, brief } = stage;
  const [subject] = brief.subjects;
  const figure = subject && figureOf(subject.name);
  const kind = random();
  const name = nameOf(brief.caption);
  const centre = { x: width / 2, y: height * (name === "" ? 0.49 : 0.42), radius: 270 };
  return [
    {
      depth: 0,
      isMoving: false,
      paint: (pen) => pen.fill(everywhere(stage), flat(swatches[0])),
    },
    {
      depth: 0.6,
      isMoving: true,
      paint(pen, seconds) {
        paintEmblem(pen, { ...centre, kind, swatches });
        if (figure !== undefined) {
          paintFigure(stage, pen, placed(figure, centre, subject?.colour ?? null), seconds);
        } else paintInitials(pen, name, { ...centre, colour: swatches[0] });
        if (!stage.refuses("text"))
          paintName(pen, name, { x: width / 2, y: centre.y + 385, width: width * 0.86, ground: swatches[0] });
      },
    },
  ];
}

function placed(
  figure: Figure,
  { x, y, radius }: { x: number; y: number; radius: number },
  colour: Rgb | null,
) {
  const size = radius * 1.12;
  return {
    figure,
    x,
    y: y - size / 2 + (size * figure.foot) / 200,
    size,
    isFlipped: false,
    colour,
    distance: 0,
    phase: 0,
  };
}

type Emblem = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly kind: number;
  readonly swatches: Swatches;
};

function paintEmblem(pen: Pen, { x, y, radius, kind, swatches }: Emblem): void {
  const [, one, two, three] = swatches;
  if (kind < 0.45) {
    pen.fill(ellipse(x, y, radius), flat(one));
    pen.line(ellipse(x, y, radius * 0.9), { ...flat(swatches[0]), width: 5 });
    pen.fill(ellipse(x, y, radius * 0.84), {
      colour: lighten(three, 0.1),
      into: { colour: mix(three, two, 0.3), from: [x, y - radius], to: [x, y + radius] },
    });
    return;
  }
  const path = new Path2D();
  if (kind < 0.75) {
    for (let corner = 0; corner < 6; corner++)
      path.lineTo(
        x + Math.cos((corner * Math.PI) / 3 - Math.PI / 2) * radius,
        y + Math.sin((corner * Math.PI) / 3 - Math.PI / 2) * radius,
      );
    path.closePath();
  } else {
    path.moveTo(x - radius * 0.82, y - radius * 0.86);
    path.quadraticCurveTo(x, y - radius * 1.14, x + radius * 0.82, y - radius * 0.86);
    path.bezierCurveTo(
      x + radius * 0.92,
      y + radius * 0.3,
      x + radius * 0.5,
      y + radius * 0.8,
      x,
      y + radius * 1.06,
    );
    path.bezierCurveTo(
      x - radius * 0.5,
      y + radius * 0.8,
      x - radius * 0.92,
      y + radius * 0.3,
      x - radius * 0.82,
      y - radius * 0.86,
    );
  }
  pen.fill(path, {
    colour: lighten(one, 0.08),
    into: { colour: darken(one, 0.16), from: [x, y - radius], to: [x, y + radius] },
  });
  pen.line(path, { ...flat(two), width: 14 });
  for (const side of [-1, 1]) pen.fill(sparkle(x + side * radius * 1.25, y, 26), flat(two));
}

function paintInitials(
  pen: Pen,
  name: string,
  { x, y, radius, colour }: { x: number; y: number; radius: number; colour: Rgb },
): void {
  loadFonts();
  const { context } = pen;
  const initials = initialsOf(name);
  context.fillStyle = `rgb(${colour.map(Math.round).join(",")})`;
  context.font = `700 ${radius * (initials.length > 1 ? 0.78 : 1)}px ${FONT_FAMILY}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(initials || "B", x, y + radius * 0.03);
}

function paintName(
  pen: Pen,
  name: string,
  { x, y, width, ground }: { x: number; y: number; width: number; ground: Rgb },
): void {
  loadFonts();
  const { context } = pen;
  context.fillStyle = brightness(ground) > 0.5 ? "#22263f" : "#fbf6ea";
  context.textAlign = "center";
  context.textBaseline = "middle";
  let size = 96;
  for (; size > 34; size -= 4) {
    context.font = `700 ${size}px ${FONT_FAMILY}`;
    if (context.measureText(name).width <= width) break;
  }
  context.fillText(name, x, y, width);
}

/** The quoted text or the words after `called`, else the meaningful words. */
function nameOf(caption: string): string {
  const quoted =
    quotedWords(caption) ??
    /(?:called|named)\s+([\p{L}\p{N}]+(?:\s[\p{Lu}][\p{L}\p{N}]+)?)/u.exec(caption)?.[1];
  const words = writable(quoted ?? caption)
    .replace(/[^\p{L}\p{N}\s&-]/gu, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && (quoted !== undefined || !SMALL_WORDS.has(word.toLowerCase())));
  return words.slice(0, 3).join(" ").toUpperCase().slice(0, 24);
}
