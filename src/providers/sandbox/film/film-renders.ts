import { ProviderFailure } from "../../contract.ts";
import type { MadeFile, VideoRequest } from "../../media-contract.ts";
import type { Renderer } from "../media/renderer.ts";

/** Films in the making, by the request's id; what they become is fetched once. */
export type FilmRenders = {
  /** Starts it unless it is under way; null while it is not done, or while too many are. */
  take(id: string, request: () => Promise<VideoRequest>): Promise<MadeFile | null>;
};

/** Finished ones hold their bytes, so there are few. */
const MAX_FILMS = 16;
/** Looks are far apart where many films are in the making: one that is forgotten before its look is never fetched. */
const KEPT_MS = 15 * 60_000;
/** Whoever has not fetched it by now is late, or has it from another process: it makes room where room is needed. */
const AWAITED_MS = 60_000;
/** A look waits this long for the end, so that short films are not told of a whole pause later. */
const PATIENCE_MS = 1_500;
/** A film that breaks the renderer as often as this is given up. */
const MAX_CRASHES = 2;

type Film = { readonly making: Promise<MadeFile>; isAwaited: boolean };

export function createFilmRenders(renderer: Pick<Renderer, "render">): FilmRenders {
  const films = new Map<string, Film>();
  const crashes = new Map<string, number>();

  function start(id: string, request: () => Promise<VideoRequest>): Film {
    const stop = new AbortController();
    const film: Film = {
      making: request().then((wanted) => renderer.render({ kind: "video", request: wanted }, stop.signal)),
      isAwaited: true,
    };
    films.set(id, film);
    film.making
      .catch(() => {})
      .then(() => {
        setTimeout(() => {
          film.isAwaited = false;
        }, AWAITED_MS).unref();
        setTimeout(() => forget(id, film), KEPT_MS).unref();
      });
    return film;
  }

  function forget(id: string, film: Film): void {
    if (films.get(id) === film) films.delete(id);
  }

  /** The oldest that nobody fetched makes room. */
  function hasRoom(): boolean {
    if (films.size < MAX_FILMS) return true;
    for (const [id, { isAwaited }] of films) if (!isAwaited) return films.delete(id);
    return false;
  }

  function countCrash(id: string): number {
    if (crashes.size >= 1_000) crashes.clear();
    const count = (crashes.get(id) ?? 0) + 1;
    crashes.set(id, count);
    return count;
  }

  return {
    async take(id, request) {
      if (!films.has(id) && !hasRoom()) return null;
      const film = films.get(id) ?? start(id, request);
      const patience = Promise.withResolvers<null>();
      const timer = setTimeout(() => patience.resolve(null), PATIENCE_MS);
      try {
        const file = await Promise.race([film.making, patience.promise]);
        if (file !== null) forget(id, film);
        return file;
      } catch (error) {
        forget(id, film);
        const isCrash = error instanceof ProviderFailure && error.kind === "unavailable";
        if (isCrash && countCrash(id) >= MAX_CRASHES) {
          throw new ProviderFailure("rejected", "The sandbox could not render this video.", error.detail);
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
