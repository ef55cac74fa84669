import { Path2D } from "@napi-rs/canvas";
import { darken, lighten, mix, type Rgb } from "../colour.ts";
import { ellipse, flat } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";

/** Blades of grass and flowers along the bottom, in front of everything; they sway. */
export function meadowRim(stage: Stage, height = 70): Layer[] {
  if (stage.refuses("grass") || stage.brief.season === "winter") return [];
  const { width, height: bottom, land } = stage;
  const lots = stage.random("rim");
  const dark = stage.seen(darken(land.grass, 0.34), 0);
  const light = stage.seen(land.grass, 0);
  const blades = Array.from({ length: Math.round(width / 5) }, () => ({
    x: lots() * width,
    reach: height * (0.35 + lots() * 0.75),
    lean: (lots() - 0.5) * 0.6,
    colour: mix(dark, light, lots() * 0.8),
    phase: lots() * 7,
  }));
  const flowers = stage.refuses("flowers") ? [] : rimFlowers(stage, height);
  return [
    {
      depth: 1.25,
      isMoving: true,
      paint(pen, seconds) {
        for (const { x, reach, lean, colour, phase } of blades) {
          const tip = x + lean * reach + Math.sin(seconds * 1.7 + phase) * reach * 0.07;
          const path = new Path2D();
          path.moveTo(x - 4, bottom + 10);
          path.quadraticCurveTo(x - 1, bottom - reach * 0.5, tip, bottom - reach);
          path.quadraticCurveTo(x + 4, bottom - reach * 0.45, x + 5, bottom + 10);
          pen.fill(path, flat(colour));
        }
        for (const flower of flowers) paintFlower(pen, flower, seconds);
      },
    },
  ];
}

type SmallFlower = {
  readonly x: number;
  readonly y: number;
  /** Height of its stem. */
  readonly height: number;
  readonly size: number;
  readonly petal: Rgb;
  readonly heart: Rgb;
  readonly stem: Rgb;
  readonly phase: number;
};

function rimFlowers(stage: Stage, height: number): SmallFlower[] {
  const lots = stage.random("rim flowers");
  const isWanted = stage.wants("flowers");
  const count = Math.round((stage.width / 1000) * (isWanted ? 34 : 9));
  const { flowers } = stage.land;
  return Array.from({ length: count }, () => ({
    x: lots() * stage.width,
    y: stage.height + 8,
    height: height * (0.7 + lots() * (isWanted ? 1.5 : 0.7)),
    size: 8 + lots() * (isWanted ? 12 : 6),
    petal: stage.seen(flowers[Math.floor(lots() * flowers.length)] ?? flowers[0], 0),
    heart: stage.seen([250, 205, 80], 0),
    stem: stage.seen(darken(stage.land.grass, 0.2), 0),
    phase: lots() * 7,
  }));
}

function paintFlower(pen: Pen, flower: SmallFlower, seconds: number): void {
  const { x, y, height, size, petal, heart, stem, phase } = flower;
  const tip = x + Math.sin(seconds * 1.6 + phase) * height * 0.06 + Math.sin(phase) * height * 0.08;
  const stalk = new Path2D();
  stalk.moveTo(x, y);
  stalk.quadraticCurveTo(x, y - height * 0.5, tip, y - height);
  pen.line(stalk, { ...flat(stem), width: Math.max(1.6, size * 0.18) });
  const petals = new Path2D();
  for (let leaf = 0; leaf < 6; leaf++) {
    const turn = (leaf / 6) * Math.PI * 2 + phase;
    const [petalX, petalY] = [tip + Math.cos(turn) * size * 0.55, y - height + Math.sin(turn) * size * 0.5];
    petals.moveTo(petalX + size * 0.42, petalY);
    petals.ellipse(petalX, petalY, size * 0.42, size * 0.36, turn, 0, Math.PI * 2);
  }
  pen.fill(petals, {
    colour: lighten(petal, 0.12),
    into: { colour: darken(petal, 0.1), from: [0, y - height - size], to: [0, y - height + size] },
  });
  pen.fill(ellipse(tip, y - height, size * 0.3), flat(heart));
}
