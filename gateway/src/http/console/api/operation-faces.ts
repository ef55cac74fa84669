import { z } from "zod";
import { isObject } from "../../../kit/index.ts";
import {
  authorize,
  type Caller,
  FILE,
  invalidInput,
  OPERATIONS,
  type Operation,
  perform,
} from "../../../operations/index.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Asked, Audience } from "./operation.ts";
import { elsewhere } from "./problem.ts";

/** Anything that pages can request, with the types of its input and output erased. */
export type AnyOperation = {
  readonly who: Audience;
  readonly input: z.ZodType;
  /** Rights beyond being the audience. */
  authorize?(asked: never): Promise<void>;
  run(asked: never, input: never): Promise<unknown>;
};

/** The operation reads its input itself. */
const ANYTHING = z.unknown();

/**
 * What the table of operations offers to pages, by its name: in the organization that the page shows, or for operators
 * of the installation. What may be either has the second under `installation:` and its name.
 */
export function operationFaces(
  { operations }: ConsoleParts,
  isWanted: (operation: Operation) => boolean,
): Readonly<Record<string, AnyOperation>> {
  const faceOf = <Who extends "person" | "member">(
    operation: Operation,
    { who, orgOf }: { who: Who; orgOf(asked: Asked[Who]): string | null },
  ): AnyOperation => ({
    who,
    input: ANYTHING,
    authorize: (asked: Asked[Who]) =>
      authorize(operations, operation, { by: callerOf(asked), org: orgOf(asked) }),
    run: (asked: Asked[Who], given: unknown) => {
      const input = operation.output === FILE ? inputOfFile(asked, given) : given;
      return perform(operations, operation, {
        by: callerOf(asked),
        org: orgOf(asked),
        face: "console",
        input,
      });
    },
  });
  const ofPage = { who: "member", orgOf: ({ viewer }: Asked["member"]) => viewer.organization.id } as const;
  const ofInstallation = { who: "person", orgOf: () => null } as const;
  const faces = (OPERATIONS as readonly Operation[]).filter(isWanted).flatMap((operation) => {
    const { name, place } = operation;
    if (place === "organization") return [[name, faceOf(operation, ofPage)] as const];
    const whole = faceOf(operation, ofInstallation);
    if (place === "installation") return [[name, whole] as const];
    return [[name, faceOf(operation, ofPage)] as const, [`installation:${name}`, whole] as const];
  });
  return Object.fromEntries(faces);
}

function callerOf({ signedIn, asker }: Asked["person"]): Caller {
  const { userId, name, email } = signedIn;
  return { kind: "person", id: userId, name, email, clientAddress: asker.clientAddress };
}

/** The link of a file carries no token: it names the organization that the page shows. */
function inputOfFile(asked: Asked["person"] & Partial<Asked["member"]>, given: unknown): unknown {
  if (!isObject(given) || !asked.viewer) return given;
  const { organizationId, ...input } = given;
  if (typeof organizationId !== "string") throw invalidInput("organizationId", "Name the organization.");
  const { id, name } = asked.viewer.organization;
  if (organizationId !== id) throw elsewhere(name);
  return input;
}
