import { afterEach, beforeEach, expect, test } from "bun:test";
import { focusManager, InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { askAgain } from "./ask-again.ts";
import { pagesOf } from "./use-ask-pages.ts";

const PAGES = 250;
const ownFetch = globalThis.fetch;
let asked = 0;
let client: QueryClient;

/** A gateway with a library of many pages; the cursor is the page number. */
function answerPage(address: string): Response {
  asked++;
  const input = JSON.parse(new URL(address, "http://console").searchParams.get("input") ?? "{}");
  const page = Number(input.cursor ?? "1");
  return Response.json({ ok: { rows: [{ id: page }], nextCursor: page < PAGES ? String(page + 1) : null } });
}

beforeEach(() => {
  globalThis.fetch = Object.assign(async (address: unknown) => answerPage(String(address)), ownFetch);
  client = new QueryClient();
  client.mount();
  asked = 0;
});

afterEach(() => {
  client.unmount();
  client.clear();
  focusManager.setFocused(undefined);
  globalThis.fetch = ownFetch;
});

/** A user who has scrolled through this many pages and still has them open. */
async function scrollThrough(pages: number) {
  const list = new InfiniteQueryObserver(client, { ...pagesOf("asset.list", {}), staleTime: 0 });
  list.subscribe(() => {});
  await client.ensureInfiniteQueryData(pagesOf("asset.list", {}));
  for (let page = 1; page < pages; page++) await list.fetchNextPage();
  expect([asked, list.getCurrentResult().data?.pages.length]).toEqual([pages, pages]);
  asked = 0;
  return list;
}

async function comeBack(): Promise<void> {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  // Refetching begins in a later turn.
  do await Bun.sleep(1);
  while (client.isFetching() > 0);
}

test("a short list is refetched completely and keeps its pages", async () => {
  const list = await scrollThrough(3);
  await askAgain(client, "asset.list");
  await comeBack();
  expect([asked, list.getCurrentResult().data?.pages.length]).toEqual([6, 3]);
});

test("a long list is cut to its newest five pages when something changed, and older ones can be loaded again", async () => {
  const list = await scrollThrough(40);
  await askAgain(client, "asset.list");
  expect([asked, list.getCurrentResult().data?.pages.length]).toEqual([5, 5]);
  await list.fetchNextPage();
  expect(list.getCurrentResult().data?.pages.at(-1)?.rows).toHaveProperty("0.id", 6);
});

test("returning to a tab with a long list refetches nothing and keeps its pages", async () => {
  const list = await scrollThrough(40);
  await comeBack();
  expect([asked, list.getCurrentResult().data?.pages.length]).toEqual([0, 40]);
});
