import type { Image } from "@napi-rs/canvas";
import { css } from "../pictures/colour.ts";
import { weatherLayers } from "../pictures/sky/weather.ts";
import type { Layer, Stage } from "../pictures/stage/stage.ts";

/** A reference image that fills the frame, light that moves over it, and the weather that the prompt asks for. */
export function photoLayers(stage: Stage, image: Image): Layer[] {
  const { width, height, light } = stage;
  const scale = Math.max(width / image.width, height / image.height);
  const photo: Layer = {
    depth: 0.8,
    isMoving: false,
    paint({ context }) {
      const [wide, tall] = [image.width * scale, image.height * scale];
      context.drawImage(image, (width - wide) / 2, (height - tall) / 2, wide, tall);
    },
  };
  const sweep: Layer = {
    depth: 1,
    isMoving: true,
    paint({ context }, seconds) {
      const x = width * (0.5 + Math.sin(seconds * 0.7) * 0.5);
      const y = height * 0.1;
      const glow = context.createRadialGradient(x, y, 0, x, y, width * 0.6);
      glow.addColorStop(0, css(light.glow, 0.24));
      glow.addColorStop(1, css(light.glow, 0));
      context.fillStyle = glow;
      context.fillRect(-width, -height, width * 3, height * 3);
    },
  };
  return [photo, sweep, ...weatherLayers(stage)];
}
