import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from "react";
import { gatewayAnswers, isUpdated } from "./gateway-code.ts";

/** The gateway does not answer; it answers, but the code did not arrive; or it has other code by now. */
type Reason = "unreachable" | "lost" | "gone";

/** Why code could not be loaded. */
export class LoadError extends Error {
  constructor(
    readonly reason: Reason,
    cause: unknown,
  ) {
    super(`${reason}: ${cause}`);
  }
}

type Later<Props> = ComponentType<Props> & {
  /**
   * Starts loading before the component is shown. Only code that has itself just arrived may start without a probe. If
   * the probe fails, that is forgotten, and loading starts again when the component is shown.
   */
  begin(options?: { readonly isProbed: boolean }): void;
};

/**
 * Code that is loaded when first shown, and only if the gateway answers a probe: browsers remember a failed import, and
 * do not retry it until the page is reloaded.
 */
export function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
): Later<Props> {
  const code = new Code(load);
  const component = (props: Props) => {
    const Loaded = useCode(code);
    return Loaded ? <Loaded {...props} /> : waiting;
  };
  return Object.assign(component, {
    begin: ({ isProbed } = { isProbed: true }) => void code.arrive(isProbed).catch(() => {}),
  });
}

class Code<Props> {
  loaded: ComponentType<Props> | null = null;
  private arriving: Promise<void> | null = null;

  constructor(private readonly load: () => Promise<ComponentType<Props>>) {}

  /** One attempt, however many wait for it. After a failure the next call tries again. */
  arrive(isProbed = true): Promise<void> {
    this.arriving ??= this.fetch(isProbed).finally(() => {
      this.arriving = null;
    });
    return this.arriving;
  }

  private async fetch(isProbed: boolean): Promise<void> {
    if (this.loaded) return;
    if (isProbed && !(await gatewayAnswers())) throw new LoadError("unreachable", "not asked for");
    try {
      this.loaded = await this.load();
    } catch (cause) {
      throw new LoadError(await reasonOf(cause), cause);
    }
  }
}

/**
 * Null until the code is there. Throws, for the nearest `Boundary`, if it could not be loaded.
 *
 * Not by `Suspense`: React replaces a fallback only after it was shown for 300 ms, so that every page would request its
 * data that much later.
 */
function useCode<Props>(code: Code<Props>): ComponentType<Props> | null {
  const [failure, setFailure] = useState<unknown>(null);
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const { loaded } = code;
  useEffect(() => {
    if (loaded) return;
    let isShown = true;
    code.arrive().then(
      () => isShown && drawAgain(),
      (error: unknown) => isShown && setFailure(error),
    );
    return () => {
      isShown = false;
    };
  }, [code, loaded]);
  if (failure !== null) throw failure;
  return loaded;
}

/** Browsers do not say why an import failed. */
async function reasonOf(cause: unknown): Promise<Reason> {
  if (!(await gatewayAnswers())) return "unreachable";
  return (await isUpdated(cause)) ? "gone" : "lost";
}
