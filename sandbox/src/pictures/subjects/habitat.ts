import type { Setting } from "../brief/brief.ts";
import type { SubjectName } from "./subject-words.ts";

/** Where a figure is drawn if the prompt names no place; one of several is chosen at random. */
const HOMES: Readonly<Partial<Record<Setting, string>>> = {
  hills:
    "cat, dog, rabbit, horse, car, train, bicycle, house, windmill, tree, flower, balloon, person, bird, plane",
  forest: "fox, owl, bird, tent, rabbit",
  mountains: "castle, tent, plane, balloon, train",
  sea: "boat, whale, lighthouse",
  beach: "lighthouse",
  underwater: "fish, whale",
  space: "rocket, astronaut",
  city: "robot, car, person",
  room: "cup, apple, book, camera, cat",
  studio: "robot",
};

export const DEFAULT_SETTING_OF: Readonly<Record<string, readonly Setting[]>> = byName();

function byName(): Record<string, Setting[]> {
  const settings: Partial<Record<SubjectName, Setting[]>> & Record<string, Setting[]> = {};
  for (const [setting, names] of Object.entries(HOMES)) {
    for (const name of names.split(",").map((one) => one.trim())) {
      const known = settings[name] ?? [];
      settings[name] = [...known, setting as Setting];
    }
  }
  return settings;
}
