import { expect, test } from "bun:test";
import { functionsOf } from "./functions.ts";
import { codeFiles, isService, isTestCode, serviceFiles } from "./source-tree.ts";
import { expectNone } from "./violation.ts";

const MEDIAN_LINES = 100;
const MOST_LINES = 350;
/** CONTRIBUTING.md says around sixty; the test allows ten more. */
const MOST_FUNCTION_LINES = 70;
/** A factory contains what it makes: the functions inside it are counted separately, up to this total. */
const MOST_FACTORY_LINES = 150;

/**
 * CONTRIBUTING.md says three, and a fourth where the order is obvious (coordinates, what is passed on); never a fifth.
 */
const MOST_PARAMETERS = 4;

/** Functions that may take more, each with its reason. */
const MANY_PARAMETERS: Readonly<Record<string, string>> = {
  "gateway/src/http/walk-route.ts constructor": "made for every call: one object less on the hot path",
  "sandbox/src/pictures/stage/paths.ts box": "the rectangle of a canvas: x, y, width, height, radius",
  "sandbox/src/pictures/subjects/figure.ts rect": "the same, as a path",
};

/** Files that may be longer, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {};

const functions = codeFiles.flatMap((file) =>
  functionsOf(file).map((found) => ({ path: file.path, ...found })),
);

test("half of the service's files are shorter than a hundred lines", () => {
  const sizes = serviceFiles.map(({ lineCount }) => lineCount).toSorted((a, b) => a - b);
  expect(sizes[Math.floor(sizes.length / 2)], "Split the longest files: one idea per file.").toBeLessThan(
    MEDIAN_LINES,
  );
});

test("no file exceeds the line limit unless its reason is listed", () => {
  const wrong = codeFiles
    .filter(({ path, lineCount }) => lineCount > MOST_LINES && LONG_FILES[path] === undefined)
    .map(({ path, lineCount }) => ({ path, what: `${lineCount} lines` }));
  expectNone(
    wrong,
    `Split it by idea, or write in test/tidy/sizes.test.ts why it is longer than ${MOST_LINES} lines.`,
  );
});

test("every file listed as long is still long", () => {
  const short = Object.keys(LONG_FILES).filter(
    (path) => (codeFiles.find((file) => file.path === path)?.lineCount ?? 0) <= MOST_LINES,
  );
  expect(short, "Take the file off the list in test/tidy/sizes.test.ts.").toEqual([]);
});

test("functions and factories stay within their line limits", () => {
  const wrong = functions
    .filter(({ path, name }) => !(isTestCode(path) && name === "describe"))
    .filter(
      ({ ownLineCount, lineCount }) => ownLineCount > MOST_FUNCTION_LINES || lineCount > MOST_FACTORY_LINES,
    )
    .map(({ path, line, name, lineCount }) => ({ path, line, what: `${name}: ${lineCount} lines` }));
  expectNone(wrong, "Give a part of it a name of its own.");
});

const ofTooMany = functions.filter(
  ({ path, parameterCount }) =>
    (isService(path) || path.startsWith("console/")) && !isTestCode(path) && parameterCount > MOST_PARAMETERS,
);

test("functions of the service and console have few parameters unless their reason is listed", () => {
  const wrong = ofTooMany
    .filter(({ path, name }) => MANY_PARAMETERS[`${path} ${name}`] === undefined)
    .map(({ path, line, name, parameterCount }) => ({
      path,
      line,
      what: `${name}: ${parameterCount} parameters`,
    }));
  expectNone(wrong, "Let it take one object, so that the caller says what is what.");
});

test("every function listed with many parameters still has them", () => {
  const few = Object.keys(MANY_PARAMETERS).filter(
    (known) => !ofTooMany.some(({ path, name }) => `${path} ${name}` === known),
  );
  expect(few, "Take the function off the list in test/tidy/sizes.test.ts.").toEqual([]);
});
