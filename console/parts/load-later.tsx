import { type ComponentType, use } from "react";
import { gatewayAnswers, isUpdated } from "./gateway-code.ts";

/** Nobody answers; the same gateway does, but the code did not arrive; or the gateway has other code by now. */
type Reason = "unreachable" | "lost" | "gone";

/** Why something is not there, and how to have another go at it. */
export class LoadError extends Error {
  constructor(
    readonly reason: Reason,
    /** Until then whoever shows it gets the same failure: React shows things more than once. */
    readonly forget: () => void,
    cause: unknown,
  ) {
    super(`${reason}: ${cause}`);
  }
}

/**
 * Code that is fetched when it is first shown, from a gateway that answers: a browser remembers what could not be fetched,
 * and asks for it no more until the page is loaded anew.
 */
export function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const forget = () => {
    loading = undefined;
  };
  async function loadFromGateway(): Promise<ComponentType<Props>> {
    if (!(await gatewayAnswers())) throw new LoadError("unreachable", forget, "not asked for");
    return load().catch(async (cause) => {
      throw new LoadError(await reasonOf(cause), forget, cause);
    });
  }
  return (props: Props) => {
    loading ??= loadFromGateway();
    const Loaded = use(loading);
    return <Loaded {...props} />;
  };
}

/** Browsers do not say why code could not be fetched. */
async function reasonOf(cause: unknown): Promise<Reason> {
  if (!(await gatewayAnswers())) return "unreachable";
  return (await isUpdated(cause)) ? "gone" : "lost";
}
