import type { Random } from "../../random.ts";
import { css, darken, hex, hsl, lighten, mix, type Rgb } from "../colour.ts";
import { paintGlow } from "../stage/glow.ts";
import { ellipse, flat } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";

/** Glowing gas, planets, no up or down. */
export function cosmos(stage: Stage): Ground {
  return {
    behind: [nebula(stage), ...planets(stage)],
    front: [],
    footing: stage.height * 0.72,
    surface: "none",
  };
}

function nebula(stage: Stage): Layer {
  const { width, height } = stage;
  const lots = stage.random("nebula");
  const hue = lots() * 360;
  const clouds = Array.from({ length: 60 }, () => {
    // Along a diagonal band, where gas gathers.
    const along = lots() - 0.5;
    return {
      x: width * (0.5 + along * 1.2) + (lots() - 0.5) * 260,
      y: height * (0.5 - along * 0.7) + (lots() + lots() - 1) * height * 0.34,
      radius: 60 + lots() ** 2 * 330,
      colour: hsl(hue + (lots() - 0.5) * 110, 0.7, 0.5),
      alpha: 0.08 + lots() * 0.2,
    };
  });
  return {
    depth: 0.05,
    isMoving: false,
    paint(pen) {
      pen.soft((context) => {
        const gradient = context.createLinearGradient(0, 0, width, height);
        gradient.addColorStop(0, css([7, 9, 28]));
        gradient.addColorStop(0.5, css([17, 15, 46]));
        gradient.addColorStop(1, css([9, 9, 26]));
        context.fillStyle = gradient;
        context.fillRect(-width, -height, width * 3, height * 3);
        context.save();
        context.globalCompositeOperation = "screen";
        for (const { x, y, radius, colour, alpha } of clouds) {
          paintGlow(context, { x, y, radius }, colour, alpha);
        }
        context.restore();
      });
      paintSparks(pen, stage.random("sparks"), stage);
    },
  };
}

/** More stars, since the gas covers those of the sky. */
function paintSparks(pen: Pen, lots: Random, { width, height }: Stage): void {
  const count = Math.round((width * height) / 3400);
  for (let star = 0; star < count; star++) {
    const size = lots() ** 5 * 2.6 + 0.5;
    pen.fill(
      ellipse(lots() * width, lots() * height, size),
      flat(mix([255, 255, 255], [255, 214, 170], lots()), 0.5 + lots() * 0.5),
    );
  }
}

const SURFACES = ["#e0915a", "#6fa7d8", "#c7a4e0", "#7fc4a8", "#d9738a"].map(hex);

function planets(stage: Stage): Layer[] {
  const lots = stage.random("planets");
  const { width, height } = stage;
  const spots = [
    [0.8, 0.24],
    [0.18, 0.7],
    [0.9, 0.8],
  ] as const;
  return spots.map(([across, down], at): Layer => {
    const x = width * (across + (lots() - 0.5) * 0.12);
    const y = height * (down + (lots() - 0.5) * 0.12);
    const radius = (at === 0 ? 110 : 46) + lots() * 50;
    const colour = SURFACES[Math.floor(lots() * SURFACES.length)] ?? [200, 140, 100];
    return {
      depth: 0.1 + at * 0.06,
      isMoving: false,
      paint: (pen) => paintPlanet(pen, { x, y, radius, colour }),
    };
  });
}

type Planet = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Rgb;
};

function paintPlanet(pen: Pen, { x, y, radius, colour }: Planet): void {
  const { context } = pen;
  pen.soft(() => {
    const halo = context.createRadialGradient(x, y, radius * 0.9, x, y, radius * 1.6);
    halo.addColorStop(0, css(lighten(colour, 0.3), 0.34));
    halo.addColorStop(1, css(colour, 0));
    context.fillStyle = halo;
    context.fillRect(x - radius * 2, y - radius * 2, radius * 4, radius * 4);
  });
  pen.fill(ellipse(x, y, radius), {
    colour: lighten(colour, 0.3),
    into: {
      colour: darken(colour, 0.55),
      from: [x - radius * 0.7, y - radius * 0.7],
      to: [x + radius * 0.8, y + radius * 0.8],
    },
  });
  context.save();
  context.clip(ellipse(x, y, radius));
  for (const [down, thick, alpha] of [
    [-0.5, 0.1, 0.2],
    [-0.15, 0.16, 0.16],
    [0.3, 0.1, 0.24],
    [0.62, 0.14, 0.18],
  ] as const) {
    pen.soft(() =>
      pen.fill(
        ellipse(x, y + radius * down, radius * 1.1, radius * thick),
        flat(down > 0 ? darken(colour, 0.4) : lighten(colour, 0.4), alpha),
      ),
    );
  }
  context.restore();
}
