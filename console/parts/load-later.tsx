import { type ComponentType, use } from "react";
import { gatewayAnswers, isUpdated } from "./gateway-code.ts";

/** The gateway does not answer; it answers, but the code did not arrive; or it has other code by now. */
type Reason = "unreachable" | "lost" | "gone";

/** Why code could not be loaded, and how to retry. */
export class LoadError extends Error {
  constructor(
    readonly reason: Reason,
    /** Until this is called, rendering fails in the same way: React renders more than once. */
    readonly forget: () => void,
    cause: unknown,
  ) {
    super(`${reason}: ${cause}`);
  }
}

/**
 * Code that is loaded when first shown, and only if the gateway answers: browsers remember a failed import, and do not
 * retry it until the page is reloaded.
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

/** Browsers do not say why an import failed. */
async function reasonOf(cause: unknown): Promise<Reason> {
  if (!(await gatewayAnswers())) return "unreachable";
  return (await isUpdated(cause)) ? "gone" : "lost";
}
