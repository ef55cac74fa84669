import { type ComponentType, use } from "react";
import { AskError, query } from "../api/ask.ts";

/** Why something is not there, and how to have another go at it. */
export class LoadError extends Error {
  constructor(
    readonly reason: "unreachable" | "gone",
    /** Until then whoever shows it gets the same failure: React shows things more than once. */
    readonly forget: () => void,
    cause: unknown,
  ) {
    super(`${reason}: ${cause}`);
  }
}

/** Code that is fetched when it is first shown. */
export function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const forget = () => {
    loading = undefined;
  };
  return (props: Props) => {
    loading ??= load().catch(async (cause) => {
      throw new LoadError((await gatewayAnswers()) ? "gone" : "unreachable", forget, cause);
    });
    const Loaded = use(loading);
    return <Loaded {...props} />;
  };
}

/** Browsers do not say why code could not be fetched. */
export async function gatewayAnswers(): Promise<boolean> {
  try {
    await query("session", {});
    return true;
  } catch (error) {
    return error instanceof AskError && error.problem.code !== "failed";
  }
}
