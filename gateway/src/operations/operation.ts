import { z } from "zod";
import type { Actor, ManagementArea, OrganizationRecord, Role } from "../identity/index.ts";
import { assert } from "../kit/index.ts";
import type { AuditedFields } from "./audit-store.ts";
import type { OperationServices, ServingServices } from "./services.ts";

/** Through what an act came. */
export type Face = "console" | "rest" | "cli";

/** Who asks: a signed-in person, a management key, or the operator at the command line. */
export type Caller =
  | {
      readonly kind: "person";
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly clientAddress: string;
    }
  | {
      readonly kind: "key";
      readonly id: string;
      readonly name: string;
      readonly scopes: readonly string[];
      /** Null: the operator's, for every organization. */
      readonly organizationId: string | null;
      readonly mintedBy: string | null;
      readonly clientAddress: string;
    }
  | { readonly kind: "operator"; readonly name: string };

/** What an operation gets beside its input. Those of a write are inside its transaction. */
export type Act = {
  readonly by: Caller;
  readonly face: Face;
  /** The caller as the nouns know them. */
  readonly actor: Actor;
  readonly standing: Role | "operator";
  readonly services: OperationServices;
};
export type ActIn = Act & { readonly organization: OrganizationRecord };

/** What an act was done to, and the fields that it changed, as they were and as they are. */
export type Change = {
  readonly object: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly before: AuditedFields | null;
  readonly after: AuditedFields | null;
};

export type Written<Output> = {
  /** Null only if there was nothing to change. */
  readonly changed: Change | null;
} & (
  | { readonly output: Output; readonly afterwards?: Afterwards<void> }
  | { readonly output?: never; readonly afterwards: Afterwards<Output> }
);
/** Work that must not hold the transaction: emails, Stripe, files. It uses nothing that was inside. */
type Afterwards<Result> = () => Promise<Result>;

/** `either`: of an organization if one is named, else of the installation. */
type Place = "organization" | "installation" | "either";

type ActAt = { organization: ActIn; installation: Act; either: Act & Partial<ActIn> };

type Definition<
  Name extends string,
  Access extends "read" | "write",
  At extends Place,
  Input extends z.ZodObject,
  Output extends z.ZodType,
> = {
  /** `noun.verb`, in kebab-case. */
  readonly name: Name;
  /** The scope that a management key needs: of this area, or `system`. */
  readonly area: ManagementArea | "system";
  readonly access: Access;
  readonly place: At;
  /** The least role of a person; `operator` is above owners. */
  readonly who: Role | "operator";
  /** Method and path below `/manage/v1`; two for a place that is `either`; none where a program has no use for it. */
  readonly rest: readonly `${"GET" | "POST" | "PATCH" | "DELETE"} /${string}`[];
  readonly input: Input;
  readonly output: Output;
  readonly words: { readonly about: string; readonly notes?: string };
  run(
    act: ActAt[At],
    input: z.output<Input>,
  ): Promise<Access extends "write" ? Written<z.input<Output>> : z.input<Output>>;
};

/** Checks the parts of an operation against each other. */
export function defineOperation<
  const Name extends string,
  const Access extends "read" | "write",
  const At extends Place,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(definition: Definition<Name, Access, At, Input, Output>): Definition<Name, Access, At, Input, Output> {
  return definition;
}

/** Any operation, with the types of its parts erased. */
export type Operation = Omit<Definition<string, "read" | "write", Place, z.ZodObject, z.ZodType>, "run"> & {
  run(act: never, input: never): Promise<unknown>;
};

/** Instead of an output: bytes that are produced while they are sent. */
export type FileReply = {
  /** Letters, digits, dots and hyphens only. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly body: ReadableStream<Uint8Array>;
};
export const FILE = z.custom<FileReply>();

/** What only a serving process has; no command of the command line needs it. */
export function serving({ services }: Act): ServingServices {
  assert(services.serving !== null, "a part that only a running gateway has");
  return services.serving;
}

/** The only member whose calls and files they may see; null means everyone's. */
export function onlyMemberOf({ standing, by }: Act): string | null {
  return standing === "member" && by.kind === "person" ? by.id : null;
}

/** True if they may see what this member made. */
export function maySee(act: Act, memberUserId: string | null): boolean {
  const own = onlyMemberOf(act);
  return own === null || memberUserId === own;
}
