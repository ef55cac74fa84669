import type { z } from "zod";
import type { Session } from "../accounts/accounts-session.ts";
import type { Ask } from "../ask.ts";
import type { OwnCommands, OwnQueries } from "../contract.ts";
import type { Viewer } from "../viewer.ts";

/**
 * Who may call an operation. `anyone`: signed in or not. `person`: signed in. `member`: of the session's organization.
 * Read from the database each time.
 */
export type Audience = "anyone" | "person" | "member";

/** What an operation gets beside its input; each audience adds to the one before it. */
export type Asked = {
  anyone: Ask;
  person: Ask & { readonly signedIn: Session };
  member: Ask & { readonly signedIn: Session; readonly viewer: Viewer };
};

type Definition<Input, Output, Who extends Audience> = {
  readonly who: Who;
  readonly input: z.ZodType<Input>;
  run(asked: Asked[Who], input: Input): Promise<Output>;
};

export type Query<Name extends keyof OwnQueries> = {
  [Who in Audience]: Definition<OwnQueries[Name]["input"], OwnQueries[Name]["output"], Who>;
}[Audience];
export type Command<Name extends keyof OwnCommands> = {
  [Who in Audience]: Definition<OwnCommands[Name]["input"], OwnCommands[Name]["output"], Who>;
}[Audience];

/** What only the console has: the compiler checks that the tables are complete. */
export type QueryTable = { readonly [Name in keyof OwnQueries]: Query<Name> };
export type CommandTable = { readonly [Name in keyof OwnCommands]: Command<Name> };
