import { css, type Rgb } from "../colour.ts";
import type { Layer, Stage } from "../stage/stage.ts";

/** A veil of mist, thickest at `y` and fading above and below. */
export function mistLayer(
  stage: Stage,
  veil: { y: number; height: number; alpha: number; colour?: Rgb; depth?: number },
): Layer {
  const { width, light } = stage;
  const colour = veil.colour ?? light.haze;
  return {
    depth: veil.depth ?? 0.2,
    isMoving: false,
    paint(pen) {
      pen.soft((context) => {
        const gradient = context.createLinearGradient(0, veil.y - veil.height, 0, veil.y + veil.height * 0.5);
        gradient.addColorStop(0, css(colour, 0));
        gradient.addColorStop(0.66, css(colour, veil.alpha));
        gradient.addColorStop(1, css(colour, 0));
        context.fillStyle = gradient;
        context.fillRect(-width, veil.y - veil.height, width * 3, veil.height * 1.5);
      });
    },
  };
}
