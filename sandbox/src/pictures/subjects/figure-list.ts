import type { Figure } from "./figure.ts";

import { bird, cat, dog, fish, fox, horse, owl, rabbit, whale } from "./figures/animals.ts";
import { castle, house, lighthouse, windmill } from "./figures/buildings.ts";
import { astronaut, person, robot, tent } from "./figures/characters.ts";
import { apple, book, camera, cup, flower, tree } from "./figures/things.ts";
import { bicycle, car, train } from "./figures/vehicles.ts";
import { balloon, boat, plane, rocket } from "./figures/vessels.ts";
import type { SubjectName } from "./subject-words.ts";

const FIGURES: Readonly<Record<SubjectName, Figure>> = {
  cat,
  dog,
  fox,
  rabbit,
  horse,
  owl,
  bird,
  fish,
  whale,
  robot,
  astronaut,
  person,
  boat,
  rocket,
  balloon,
  plane,
  car,
  train,
  bicycle,
  house,
  castle,
  lighthouse,
  windmill,
  tent,
  tree,
  flower,
  cup,
  apple,
  book,
  camera,
};

export function figureOf(name: string): Figure | undefined {
  return Object.hasOwn(FIGURES, name) ? FIGURES[name as SubjectName] : undefined;
}
