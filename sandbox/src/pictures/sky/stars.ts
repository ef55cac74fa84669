import { mix } from "../colour.ts";
import { ellipse, flat, polygon } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";

const STARS_PER_SQUARE = 170;
/** Each group twinkles in its own rhythm. */
const GROUPS = 2;

/** Mostly faint stars and a few bright ones with a cross of light. */
export function starLayers(stage: Stage): Layer[] {
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
