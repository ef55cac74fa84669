import { Path2D } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { darken, lighten, mix, type Rgb } from "../colour.ts";
import { box, ellipse, flat } from "../stage/paths.ts";
import type { Pen } from "../stage/stage.ts";

export type Tree = {
  readonly kind: "conifer" | "round" | "palm";
  readonly x: number;
  /** Height of its foot. */
  readonly y: number;
  readonly height: number;
  readonly leaf: Rgb;
  readonly trunk: Rgb;
  readonly hasSnow: boolean;
  /** Light comes from the left (-1) or the right (1). */
  readonly lit: 1 | -1;
  readonly lots: readonly number[];
};

export function treeLots(random: Random): number[] {
  return Array.from({ length: 8 }, random);
}

export function paintTree(pen: Pen, tree: Tree): void {
  if (tree.kind === "conifer") paintConifer(pen, tree);
  else if (tree.kind === "palm") paintPalm(pen, tree);
  else paintRound(pen, tree);
}

/** Tiers of needles, each with a lit and a shaded half. */
function paintConifer(pen: Pen, { x, y, height, leaf, trunk, hasSnow, lit, lots }: Tree): void {
  const half = height * (0.2 + (lots[0] ?? 0) * 0.05);
  pen.fill(box(x - height * 0.022, y - height * 0.14, height * 0.044, height * 0.14), flat(trunk));
  const skirts = height > 60 ? 4 : 3;
  for (let skirt = 0; skirt < skirts; skirt++) {
    const low = y - height * (0.09 + (skirt / skirts) * 0.62);
    const top = low - height * (0.44 - skirt * 0.035);
    const wide = half * (1 - (skirt / skirts) * 0.66);
    const whole = new Path2D();
    whole.moveTo(x, top);
    whole.quadraticCurveTo(x + wide * 0.32, low - (low - top) * 0.4, x + wide, low);
    whole.quadraticCurveTo(x, low + height * 0.035, x - wide, low);
    whole.quadraticCurveTo(x - wide * 0.32, low - (low - top) * 0.4, x, top);
    pen.fill(whole, flat(leaf));
    const side = new Path2D();
    side.moveTo(x, top);
    side.quadraticCurveTo(x - lit * wide * 0.32, low - (low - top) * 0.4, x - lit * wide, low);
    side.quadraticCurveTo(
      x - lit * wide * 0.4,
      low + height * 0.02,
      x + lit * wide * 0.12,
      low + height * 0.016,
    );
    side.closePath();
    pen.soft(() => pen.fill(side, flat(darken(leaf, 0.24), 0.75)));
    if (hasSnow) {
      const cap = new Path2D();
      const drop = (low - top) * 0.42;
      cap.moveTo(x, top - 1);
      cap.lineTo(x + wide * 0.42, top + drop);
      cap.quadraticCurveTo(x + wide * 0.2, top + drop * 0.8, x, top + drop * 1.08);
      cap.quadraticCurveTo(x - wide * 0.2, top + drop * 0.8, x - wide * 0.42, top + drop);
      cap.closePath();
      pen.fill(cap, flat(mix(leaf, [255, 255, 255], 0.82)));
    }
  }
}

/** A crown of a few balls, lighter on the lit side. */
function paintRound(pen: Pen, { x, y, height, leaf, trunk, lit, lots }: Tree): void {
  const lot = (at: number) => lots[at % lots.length] ?? 0.5;
  const stem = new Path2D();
  stem.moveTo(x - height * 0.035, y);
  stem.quadraticCurveTo(x - height * 0.012, y - height * 0.3, x - height * 0.02, y - height * 0.55);
  stem.lineTo(x + height * 0.02, y - height * 0.55);
  stem.quadraticCurveTo(x + height * 0.014, y - height * 0.3, x + height * 0.04, y);
  stem.closePath();
  pen.fill(stem, flat(trunk));
  const balls = [
    [-0.2, 0.46, 0.17],
    [0.2, 0.45, 0.17],
    [-0.1, 0.62, 0.2],
    [0.12, 0.64, 0.2],
    [0, 0.79, 0.17],
  ] as const;
  const crown = new Path2D();
  balls.forEach(([across, up, size], at) => {
    const radius = height * size * (0.88 + lot(at) * 0.26);
    const [ballX, ballY] = [x + height * across * (0.85 + lot(at + 3) * 0.3), y - height * up];
    crown.moveTo(ballX + radius, ballY);
    crown.arc(ballX, ballY, radius, 0, Math.PI * 2);
  });
  pen.fill(crown, {
    colour: lighten(leaf, 0.1),
    into: {
      colour: darken(leaf, 0.22),
      from: [x + lit * height * 0.3, y - height],
      to: [x - lit * height * 0.25, y - height * 0.25],
    },
  });
  pen.soft(() => {
    balls.forEach(([across, up, size], at) => {
      const radius = height * size * 0.56;
      const [ballX, ballY] = [x + height * (across + lit * 0.05), y - height * (up + 0.045)];
      pen.fill(
        ellipse(ballX, ballY, radius * (0.8 + lot(at) * 0.3), radius * 0.8),
        flat(lighten(leaf, 0.3), 0.08),
      );
    });
  });
}

function paintPalm(pen: Pen, { x, y, height, leaf, trunk, lit, lots }: Tree): void {
  const lean = ((lots[0] ?? 0.5) - 0.5) * height * 0.5 + lit * height * 0.12;
  const [topX, topY] = [x + lean, y - height * 0.86];
  const stem = new Path2D();
  stem.moveTo(x - height * 0.035, y);
  stem.quadraticCurveTo(x + lean * 0.25 - height * 0.02, y - height * 0.5, topX - height * 0.012, topY);
  stem.lineTo(topX + height * 0.014, topY);
  stem.quadraticCurveTo(x + lean * 0.25 + height * 0.025, y - height * 0.5, x + height * 0.035, y);
  stem.closePath();
  pen.fill(stem, flat(trunk));
  for (let frond = 0; frond < 9; frond++) {
    const turn = -Math.PI * (0.02 + (frond / 8) * 0.96) + ((lots[frond % 8] ?? 0.5) - 0.5) * 0.3;
    const reach = height * (0.36 + (lots[(frond + 2) % 8] ?? 0) * 0.09);
    const [tipX, tipY] = [topX + Math.cos(turn) * reach, topY + Math.sin(turn) * reach * 0.55 + reach * 0.34];
    const [bendX, bendY] = [topX + Math.cos(turn) * reach * 0.55, topY + Math.sin(turn) * reach * 0.72];
    const path = new Path2D();
    path.moveTo(topX, topY);
    path.quadraticCurveTo(bendX, bendY - height * 0.05, tipX, tipY);
    path.quadraticCurveTo(bendX, bendY + height * 0.045, topX, topY + height * 0.02);
    pen.fill(path, flat(frond % 2 === 0 ? leaf : lighten(leaf, 0.14)));
  }
  for (const side of [-1, 0.6])
    pen.fill(
      ellipse(topX + side * height * 0.02, topY + height * 0.03, height * 0.02),
      flat(darken(trunk, 0.2)),
    );
}
