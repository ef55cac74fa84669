import type { z } from "zod";
import type { Session } from "../accounts-session.ts";
import type { Ask } from "../ask.ts";
import type { Commands, Downloads, Queries } from "../contract.ts";
import type { Viewer } from "../viewer.ts";

/**
 * Who may ask. `anyone`: signed in or not. `person`: signed in. `member`: of the organization that is looked at;
 * `admin`: one of its owners and admins; `owner`: one of its owners. Asked of the database each time.
 */
export type Audience = "anyone" | "person" | "member" | "admin" | "owner";

/** What an operation is told beside its input; each audience knows what the one before it knows, and more. */
export type Asked = {
  anyone: Ask;
  person: Ask & { readonly signedIn: Session };
  member: Ask & { readonly signedIn: Session; readonly viewer: Viewer };
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

/** Bytes of its own instead of JSON; `body` may be long, since it is read as it is sent. */
export type FileReply = {
  /** Of letters, digits, dots and hyphens. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly body: ReadableStream<Uint8Array>;
};
export type Download<Name extends keyof Downloads> = {
  [Who in Audience]: Definition<Downloads[Name], FileReply, Who>;
}[Audience];

/** Every query and every command of the contract: the compiler holds the tables to it. */
export type QueryTable = { readonly [Name in keyof Queries]: Query<Name> };
export type CommandTable = { readonly [Name in keyof Commands]: Command<Name> };
export type DownloadTable = { readonly [Name in keyof Downloads]: Download<Name> };
