import { css, mix } from "../colour.ts";
import { ellipse, flat, polygon } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { cloudLayers } from "./clouds.ts";

const STARS_PER_SQUARE = 170;
/** Each group twinkles in its own rhythm. */
const GROUPS = 2;

/** Mostly faint stars and a few bright ones with a cross of light. */
function starLayers(stage: Stage): Layer[] {
  const { width, horizon, light, brief } = stage;
  const isSpace = brief.setting === "space";
  const isDark = light.isNight || isSpace;
  if (stage.refuses("stars") || (!isDark && !(brief.hour === "dusk" || stage.wants("stars")))) return [];
  const lots = stage.random("stars");
  const density = isSpace ? 1.7 : isDark ? 1 : 0.3;
  const skyHeight = Math.min(horizon, stage.height);
  const count = Math.round(
    ((width * skyHeight) / 1e6) * STARS_PER_SQUARE * density * (stage.wants("stars") ? 1.6 : 1),
  );
  const stars = Array.from({ length: count }, () => {
    const rarity = lots();
    return {
      x: lots() * width,
      y: lots() ** 1.25 * skyHeight,
      radius: rarity > 0.975 ? 2.6 : rarity > 0.85 ? 1.7 : 0.6 + lots() * 0.7,
      alpha: 0.35 + lots() * 0.6,
      tint: lots(),
      isBright: rarity > 0.975,
    };
  });
  return Array.from({ length: GROUPS }, (_, group): Layer => {
    const members = stars.filter((_, at) => at % GROUPS === group);
    return {
      depth: 0,
      isMoving: false,
      sway: (seconds) => ({ x: 0, alpha: 0.75 + 0.25 * Math.cos(seconds * (1.1 + group * 0.5)) }),
      paint(pen) {
        for (const { x, y, radius, alpha, tint, isBright } of members) {
          const colour = mix([255, 255, 255], tint < 0.3 ? [170, 196, 255] : [255, 226, 186], tint * 0.7);
          if (isBright) pen.fill(sparkle(x, y, radius * 4), flat(colour, 0.9));
          else pen.fill(ellipse(x, y, radius), flat(colour, alpha));
        }
      },
    };
  });
}

/** A four-pointed star with concave sides. */
function sparkle(x: number, y: number, radius: number) {
  const inner = radius * 0.16;
  return polygon(
    Array.from({ length: 8 }, (_, step) => {
      const reach = step % 2 === 0 ? radius : inner;
      const turn = (step / 8) * Math.PI * 2;
      return [x + Math.cos(turn) * reach, y + Math.sin(turn) * reach] as const;
    }),
  );
}

/** Everything behind the land, back to front. */
export function skyLayers(stage: Stage): Layer[] {
  return [gradientLayer(stage), ...starLayers(stage), ...orbLayers(stage), ...cloudLayers(stage)];
}

function gradientLayer({ width, height, horizon, light }: Stage): Layer {
  return {
    depth: 0,
    isMoving: false,
    paint(pen) {
      pen.soft((context) => {
        const gradient = context.createLinearGradient(0, 0, 0, Math.min(height, horizon * 1.04));
        gradient.addColorStop(0, css(light.skyTop));
        gradient.addColorStop(0.3, css(mix(light.skyTop, light.skyMid, 0.48)));
        gradient.addColorStop(0.62, css(light.skyMid));
        gradient.addColorStop(0.84, css(mix(light.skyMid, light.skyLow, 0.62)));
        gradient.addColorStop(1, css(light.skyLow));
        context.fillStyle = gradient;
        context.fillRect(-width, -height, width * 3, height * 3);
      });
    },
  };
}

function orbLayers(stage: Stage): Layer[] {
  const { light, orb, brief } = stage;
  const isMoon = light.isNight;
  if (stage.refuses(isMoon ? "moon" : "sun")) return [];
  if (brief.weather.has("rain") && !stage.wants(isMoon ? "moon" : "sun")) return [];
  return [
    {
      depth: 0.04,
      isMoving: false,
      paint(pen) {
        pen.soft((context) => {
          for (const [reach, alpha] of [
            [11, 0.42],
            [4.6, 0.5],
            [2, 0.5],
          ] as const) {
            const glow = context.createRadialGradient(
              orb.x,
              orb.y,
              orb.radius * 0.5,
              orb.x,
              orb.y,
              orb.radius * reach,
            );
            glow.addColorStop(0, css(light.glow, isMoon ? alpha * 0.55 : alpha));
            glow.addColorStop(1, css(light.glow, 0));
            context.fillStyle = glow;
            context.fillRect(
              orb.x - orb.radius * reach,
              orb.y - orb.radius * reach,
              orb.radius * reach * 2,
              orb.radius * reach * 2,
            );
          }
        });
        if (isMoon) paintMoon(stage, pen);
        else pen.fill(ellipse(orb.x, orb.y, orb.radius), flat(light.orb));
      },
    },
  ];
}

function paintMoon({ light, orb, random }: Stage, pen: Parameters<Layer["paint"]>[0]): void {
  const lots = random("moon");
  pen.fill(ellipse(orb.x, orb.y, orb.radius), {
    colour: light.orb,
    into: {
      colour: mix(light.orb, light.skyMid, 0.28),
      from: [orb.x - orb.radius, orb.y - orb.radius],
      to: [orb.x + orb.radius, orb.y + orb.radius],
    },
  });
  for (let crater = 0; crater < 7; crater++) {
    const [turn, reach, size] = [lots() * Math.PI * 2, Math.sqrt(lots()) * 0.72, 0.07 + lots() * 0.14];
    const [x, y] = [orb.x + Math.cos(turn) * reach * orb.radius, orb.y + Math.sin(turn) * reach * orb.radius];
    pen.fill(ellipse(x, y, orb.radius * size), flat(mix(light.orb, light.skyMid, 0.3), 0.55));
  }
}

/** Slanting beams from sun or moon through trees and clouds. */
export function beamLayers(stage: Stage, alpha: number): Layer[] {
  const { light, orb, height } = stage;
  if (stage.refuses(light.isNight ? "moon" : "sun")) return [];
  const lots = stage.random("beams");
  const beams = Array.from({ length: 7 }, () => ({
    turn: Math.PI * (0.2 + lots() * 0.6),
    spread: 0.02 + lots() * 0.045,
    alpha: alpha * (0.4 + lots() * 0.6),
  }));
  const layer: Layer = {
    depth: 0.3,
    isMoving: false,
    paint(pen) {
      pen.soft((context) => {
        context.save();
        context.globalCompositeOperation = "screen";
        for (const beam of beams) {
          const reach = height * 1.5;
          const edge = (turn: number) =>
            [orb.x + Math.cos(turn) * reach, orb.y + Math.sin(turn) * reach] as const;
          const gradient = context.createRadialGradient(orb.x, orb.y, 20, orb.x, orb.y, reach * 0.75);
          gradient.addColorStop(0, css(light.glow, beam.alpha));
          gradient.addColorStop(1, css(light.glow, 0));
          context.fillStyle = gradient;
          context.fill(
            polygon([[orb.x, orb.y], edge(beam.turn - beam.spread), edge(beam.turn + beam.spread)]),
          );
        }
        context.restore();
      });
    },
  };
  return [layer];
}
