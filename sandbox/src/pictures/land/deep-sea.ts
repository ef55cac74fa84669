import { Path2D } from "@napi-rs/canvas";
import { css, darken, hex, lighten, mix, type Rgb } from "../colour.ts";
import { ellipse, fall, flat, ground, wave } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";

const SHALLOW = hex("#5fd3d6");
const DEEP = hex("#0b3c6e");

/** Light from above, weeds and corals on the sand, bubbles, a school of small fish. */
export function deepSea(stage: Stage): Ground {
  const { width, height, horizon } = stage;
  const isNight = stage.light.isNight;
  const top = mix(stage.brief.colours[0] ?? SHALLOW, SHALLOW, 0.4);
  const water: Layer = {
    depth: 0,
    isMoving: false,
    paint(pen) {
      pen.soft((context) => {
        const gradient = context.createLinearGradient(0, 0, 0, height);
        gradient.addColorStop(0, css(isNight ? darken(top, 0.5) : top));
        gradient.addColorStop(0.45, css(mix(top, DEEP, isNight ? 0.8 : 0.55)));
        gradient.addColorStop(1, css(darken(DEEP, isNight ? 0.4 : 0.1)));
        context.fillStyle = gradient;
        context.fillRect(-width, -height, width * 3, height * 3);
      });
    },
  };
  const behind = [
    water,
    shafts(stage),
    bed(stage, { name: "bed 1", y: horizon - 40, distance: 0.55, depth: 0.3 }),
    school(stage),
    bed(stage, { name: "bed 2", y: horizon + 30, distance: 0.12, depth: 0.8 }),
    ...reef(stage),
  ];
  return { behind, front: [bubbles(stage), ...weeds(stage)], footing: height * 0.62, surface: "none" };
}

function shafts(stage: Stage): Layer {
  const lots = stage.random("shafts");
  const { width, height } = stage;
  const beams = Array.from({ length: 8 }, () => ({
    x: lots() * width * 1.1,
    wide: 30 + lots() * 90,
    alpha: 0.07 + lots() * 0.12,
    phase: lots() * 7,
  }));
  return {
    depth: 0.1,
    isMoving: true,
    paint(pen, seconds) {
      pen.soft((context) => {
        context.save();
        context.globalCompositeOperation = "screen";
        for (const { x, wide, alpha, phase } of beams) {
          const sway = Math.sin(seconds * 0.6 + phase) * 24;
          const gradient = context.createLinearGradient(0, 0, 0, height * 0.85);
          gradient.addColorStop(0, css([220, 255, 250], alpha * (0.7 + 0.3 * Math.sin(seconds + phase))));
          gradient.addColorStop(1, css([220, 255, 250], 0));
          context.fillStyle = gradient;
          context.beginPath();
          context.moveTo(x, -20);
          context.lineTo(x + wide, -20);
          context.lineTo(x - height * 0.28 + wide * 2.4 + sway, height * 0.9);
          context.lineTo(x - height * 0.28 - wide + sway, height * 0.9);
          context.fill();
        }
        context.restore();
      });
    },
  };
}

function bed(
  stage: Stage,
  { name, y, distance, depth }: { name: string; y: number; distance: number; depth: number },
): Layer {
  const line = wave(stage.random(name), { width: stage.width, y, height: 34, length: 800 });
  const sand = mix(mix(hex("#d9c79a"), DEEP, 0.34), DEEP, distance);
  return {
    depth,
    isMoving: false,
    paint: (pen) =>
      pen.fill(
        ground(line, stage.height + 40),
        fall(lighten(sand, 0.12), darken(sand, 0.3), y - 30, stage.height),
      ),
  };
}

const CORALS = ["#f2727f", "#f6a25c", "#c77fd6", "#f4d06f", "#59c9b9"].map(hex);

function reef(stage: Stage): Layer[] {
  const lots = stage.random("reef");
  const { width, horizon, height } = stage;
  const corals = Array.from({ length: 12 }, () => {
    const near = lots();
    return {
      x: lots() * width,
      y: horizon + 50 + near * (height - horizon) * 0.6,
      size: 46 + near * 70,
      colour: mix(CORALS[Math.floor(lots() * CORALS.length)] ?? SHALLOW, DEEP, 0.28 * (1 - near) + 0.1),
      kind: lots(),
      lots: Array.from({ length: 9 }, lots),
    };
  }).sort((one, other) => one.y - other.y);
  return [
    {
      depth: 0.95,
      isMoving: false,
      paint(pen) {
        for (const { x, y, size, colour, kind, lots: shape } of corals) {
          if (kind < 0.4) {
            pen.fill(ellipse(x, y - size * 0.3, size * 0.62, size * 0.5), {
              colour: lighten(colour, 0.2),
              into: { colour: darken(colour, 0.3), from: [0, y - size], to: [0, y] },
            });
            shape.forEach((lot, at) => {
              const [left, top] = [
                x + (lot - 0.5) * size,
                y - size * 0.3 - ((shape[(at + 3) % 9] ?? 0) - 0.4) * size * 0.5,
              ];
              pen.soft(() => pen.fill(ellipse(left, top, size * 0.05), flat(lighten(colour, 0.4), 0.5)));
            });
          } else {
            for (let branch = 0; branch < 6; branch++) {
              const path = new Path2D();
              const turn = -Math.PI / 2 + (branch - 2.5) * 0.34;
              const reach = size * (0.7 + (shape[branch] ?? 0.5) * 0.5);
              path.moveTo(x, y);
              path.quadraticCurveTo(
                x + Math.cos(turn) * reach * 0.3,
                y - reach * 0.5,
                x + Math.cos(turn) * reach,
                y + Math.sin(turn) * reach,
              );
              pen.line(path, {
                ...flat(branch % 2 === 0 ? colour : lighten(colour, 0.16)),
                width: size * 0.12,
              });
            }
          }
        }
      },
    },
  ];
}

function school(stage: Stage): Layer {
  const lots = stage.random("school");
  const { width, height } = stage;
  const [centreX, centreY] = [width * (0.2 + lots() * 0.5), height * (0.24 + lots() * 0.2)];
  const fish = stage.refuses("fish")
    ? []
    : Array.from({ length: 22 }, () => ({
        x: centreX + (lots() - 0.5) * 340,
        y: centreY + (lots() - 0.5) * 150,
        size: 7 + lots() * 8,
        phase: lots() * 7,
      }));
  const colour: Rgb = mix(SHALLOW, DEEP, 0.62);
  return {
    depth: 0.3,
    isMoving: true,
    paint(pen, seconds) {
      for (const { x, y, size, phase } of fish) {
        const path = new Path2D();
        const left = x + seconds * 20 + Math.sin(seconds * 2 + phase) * 6;
        path.moveTo(left + size, y);
        path.quadraticCurveTo(left, y - size * 0.6, left - size, y);
        path.lineTo(left - size * 1.6, y - size * 0.5);
        path.lineTo(left - size * 1.6, y + size * 0.5);
        path.lineTo(left - size, y);
        path.quadraticCurveTo(left, y + size * 0.6, left + size, y);
        pen.fill(path, flat(colour, 0.9));
      }
    },
  };
}

function bubbles(stage: Stage): Layer {
  const lots = stage.random("bubbles");
  const { width, height } = stage;
  const list = Array.from({ length: 40 }, () => ({
    x: lots() * width,
    y: lots() * height,
    size: 2 + lots() ** 2 * 13,
    pace: 30 + lots() * 50,
    phase: lots() * 7,
  }));
  return {
    depth: 1.1,
    isMoving: true,
    paint(pen, seconds) {
      for (const { x, y, size, pace, phase } of list) {
        const rise = (((y - seconds * pace) % height) + height) % height;
        const left = x + Math.sin(seconds * 1.5 + phase) * 8;
        pen.line(ellipse(left, rise, size), { ...flat([225, 250, 255], 0.55), width: 1.4 });
        pen.soft(() =>
          pen.fill(ellipse(left - size * 0.3, rise - size * 0.35, size * 0.24), flat([255, 255, 255], 0.8)),
        );
      }
    },
  };
}

function weeds(stage: Stage): Layer[] {
  const lots = stage.random("weeds");
  const { width, height } = stage;
  const stalks = Array.from({ length: Math.round(width / 58) }, () => {
    const edge = lots() < 0.5 ? lots() * 0.3 : 0.7 + lots() * 0.3;
    return {
      x: edge * width,
      reach: 130 + lots() * 220,
      phase: lots() * 7,
      colour: mix(hex("#1f7a5c"), hex("#0d3f4f"), lots() * 0.8),
    };
  });
  return [
    {
      depth: 1.2,
      isMoving: true,
      paint(pen, seconds) {
        for (const { x, reach, phase, colour } of stalks) {
          const sway = (share: number) => Math.sin(seconds * 1.2 + phase + share * 3) * 26 * share;
          const path = new Path2D();
          path.moveTo(x - 9, height + 20);
          path.bezierCurveTo(
            x - 22 + sway(0.3),
            height - reach * 0.35,
            x + 18 + sway(0.6),
            height - reach * 0.65,
            x + sway(1),
            height - reach,
          );
          path.bezierCurveTo(
            x + 30 + sway(0.6),
            height - reach * 0.6,
            x + sway(0.3),
            height - reach * 0.3,
            x + 12,
            height + 20,
          );
          path.closePath();
          pen.fill(path, flat(colour));
        }
      },
    },
  ];
}
