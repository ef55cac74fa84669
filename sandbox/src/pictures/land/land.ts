import type { Setting } from "../brief/brief.ts";
import type { Stage } from "../stage/stage.ts";
import { alps } from "./alps.ts";
import { beach, sea } from "./coast.ts";
import { cosmos } from "./cosmos.ts";
import { countryside } from "./countryside.ts";
import type { Ground } from "./ground.ts";
import { woods } from "./woods.ts";

const LANDS: Readonly<Record<Setting, (stage: Stage) => Ground>> = {
  mountains: alps,
  hills: countryside,
  forest: woods,
  sea,
  beach,
  space: cosmos,
};

export function groundOf(stage: Stage): Ground {
  return LANDS[stage.brief.setting](stage);
}
