import type { z } from "zod";
import type { Actor } from "../../../identity/index.ts";
import type { Session } from "../accounts/accounts-session.ts";
import type { Ask } from "../ask.ts";
import type { Commands, Downloads, Queries } from "../contract.ts";
import type { Viewer } from "../viewer.ts";

/**
 * Who may call an operation. `anyone`: signed in or not. `person`: signed in. `member`: of the session's organization.
 * `admin`: its owners and admins. `owner`: its owners. Read from the database each time.
 */
export type Audience = "anyone" | "person" | "member" | "admin" | "owner";

/** What an operation gets beside its input; each audience adds to the one before it. */
export type Asked = {
  anyone: Ask;
  person: Ask & { readonly signedIn: Session };
  member: Ask & {
    readonly signedIn: Session;
    readonly viewer: Viewer;
    /** For changes: who makes them, in which organization. */
    readonly by: { readonly organizationId: string; readonly actor: Actor };
  };
  admin: Asked["member"];
  owner: Asked["member"];
};

type Definition<Input, Output, Who extends Audience> = {
  readonly who: Who;
  readonly input: z.ZodType<Input>;
  run(asked: Asked[Who], input: Input): Promise<Output>;
};

export type Query<Name extends keyof Queries> = {
  [Who in Audience]: Definition<Queries[Name]["input"], Queries[Name]["output"], Who>;
}[Audience];
export type Command<Name extends keyof Commands> = {
  [Who in Audience]: Definition<Commands[Name]["input"], Commands[Name]["output"], Who>;
}[Audience];

/** A file instead of JSON. `body` may be long, since it is produced while it is sent. */
export type FileReply = {
  /** Letters, digits, dots and hyphens only. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly body: ReadableStream<Uint8Array>;
};
export type Download<Name extends keyof Downloads> = {
  [Who in Audience]: Definition<Downloads[Name], FileReply, Who>;
}[Audience];

/** Every query and command of the contract: the compiler checks that the tables are complete. */
export type QueryTable = { readonly [Name in keyof Queries]: Query<Name> };
export type CommandTable = { readonly [Name in keyof Commands]: Command<Name> };
export type DownloadTable = { readonly [Name in keyof Downloads]: Download<Name> };
