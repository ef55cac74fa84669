import { css, mix } from "../colour.ts";
import { ellipse, flat, polygon } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { cloudLayers } from "./clouds.ts";
import { starLayers } from "./stars.ts";

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
