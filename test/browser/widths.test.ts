import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { writeSettings } from "../faults/settings-file.ts";
import type { TestGateway, TestOrganization } from "../harness.ts";
import { publishTestAsset } from "../published-asset.ts";
import { describeInBrowser } from "./browser.ts";
import { callChat } from "./call-gateway.ts";
import { untilLoaded } from "./settled.ts";

const WIDTHS = [360, 390, 480, 600, 721, 768, 861, 880, 960, 1024, 1100, 1180, 1280] as const;
const HEIGHT = 800;
/** A chart is redrawn a few frames after its container has changed. */
const FRAMES = 20;
/** As wide as the label of a filter before anything is chosen. */
const FILTER_PX = 120;
/** More than a hundred short checks. */
const TEST_LIMIT_MS = 60_000;
const DATA = /\/console\/api\/(?:usage|requests|models|members|library)\b/;
/** Allows for rounding; a line that appears moves everything below it by far more. */
const MOST_SHIFT = 0.01;
const FILTERS = ":is(.usage-filters, .library-filters)";
const LONG = "Wilhelmina-Wolkenstein ".repeat(4);
const OWNER = `${"w".repeat(40)}@${"wide.".repeat(8)}example.com`;

/** As long as one in the default catalog, and as long as an operator may write. */
const LONG_MODELS = ["groq/meta-llama/llama-4-scout-17b-16e-instruct", `wide-${"w-".repeat(43)}`] as const;
const settings = writeSettings({
  models: LONG_MODELS.map((id) => ({
    id,
    name: `Wide ${id.length}`,
    type: "text",
    targets: [{ provider: "sandbox", model: "chat" }],
    test: true,
    credits_per_request: 1,
    price: { input_per_million: 1, output_per_million: 1 },
    limits: { context_tokens: 10_000, max_output_tokens: 1_000 },
  })),
});

/** Each with a text that is there once its data is loaded; the account is in the menu under the person's name. */
const PAGES = [
  ["Overview", "Newest requests"],
  ["Library", "W".repeat(100)],
  ["Usage", "sandbox-chat"],
  ["Models", "Sandbox Chat"],
  ["API keys", "May be used for"],
  ["Members", "invited@"],
  ["Billing", "Given for "],
  ["Settings", "Organization"],
  ["Your account", "This device"],
  ["Playground", "Ask something"],
] as const;

/** One of everything that a table shows, as long as it may be. */
async function fill(gateway: TestGateway, organization: TestOrganization): Promise<void> {
  const { identity, ledger, payments } = gateway.services;
  const orgId = organization.id;
  const owner = await organization.addMember(OWNER, "owner");
  await identity.people.rename({ userId: owner, name: LONG.trim() });
  const actor = { kind: "person", userId: owner } as const;
  await identity.organizations.update({ organizationId: orgId, name: LONG.trim(), actor });
  const { key, keyId } = await organization.mint({
    name: LONG.trim(),
    scopes: ["chat", "images", "audio"],
    expiresInMs: 86_400_000,
    requestsPerMinute: 600,
    inFlight: 50,
    actor,
  });
  for (const model of ["sandbox-chat", ...LONG_MODELS]) {
    await callChat(gateway.origin, key, { "x-member-user-id": owner }, model);
  }
  await identity.keys.rotate({ organizationId: orgId, keyId, actor });
  const email = `invited@${"wide.".repeat(10)}example.com`;
  await identity.invitations.create({ organizationId: orgId, email, role: "admin", inviterId: owner });
  const entry = { orgId, pool: "anytime", reference: null, expiresAt: null, kind: "manual" } as const;
  await ledger.grant({
    ...entry,
    amount: 900_000_000_000_000 as never,
    description: `given for ${LONG.repeat(2)}`,
  });
  const buyer = { orgId, userId: owner, email: OWNER, billingUrl: `${gateway.origin}/console/billing` };
  await payments.buyPacks(buyer, ["medium"]);
  await publishTestAsset(gateway, organization, { prompt: "W".repeat(400) });
}

/** What overflows the page, its card or its column, once everything has adapted to the size. */
function overflows(page: Page): Promise<string[]> {
  return page.evaluate(
    async ([frames, roomPx]) => {
      const hidden = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth;
      function found(): string[] {
        const tables = [...document.querySelectorAll(".table.stacks")].map((table) => {
          const card = table.closest(".card");
          const beyond = table.getBoundingClientRect().right - (card?.getBoundingClientRect().right ?? 0);
          const most = Math.max(beyond, hidden(table.parentElement ?? table));
          return [`the table of ${card?.querySelector("h2")?.textContent}`, most] as const;
        });
        const models = [...document.querySelectorAll(".model-id")].map((id) => {
          const name = id.closest(".model-name")?.getBoundingClientRect();
          return [`the id ${id.textContent}`, id.getBoundingClientRect().right - (name?.right ?? 0)] as const;
        });
        const filters = [...document.querySelectorAll(".usage-filters select")].map((filter) => {
          const words = `the filter ${filter.getAttribute("aria-label")}, which has too little room,`;
          return [words, roomPx - filter.getBoundingClientRect().width] as const;
        });
        const days = [...document.querySelectorAll(".day-tick")].map((day) => day.getBoundingClientRect());
        const covered = days.map(({ right }, at) => right - (days[at + 1]?.left ?? right));
        const labels = [["the names of days", Math.max(0, ...covered)] as const];
        const entries = [...document.querySelectorAll(".ledger tbody tr")].map((entry) => {
          const [when, left] = [".when > *", ".left > *"].map((one) =>
            entry.querySelector(one)?.getBoundingClientRect(),
          );
          if (!when || !left) throw new Error("an entry without its time or its balance");
          const areInOneLine = left.top < when.bottom;
          return ["a time, of the balance beside it,", areInOneLine ? when.right - left.left : 0] as const;
        });
        const pages = [["the page", hidden(document.documentElement)] as const];
        return [...pages, ...tables, ...models, ...filters, ...labels, ...entries]
          .filter(([, beyond]) => beyond > 0)
          .map(([what, beyond]) => `${what} by ${Math.ceil(beyond)} px`);
      }
      for (let frame = 0; frame < frames && found().length > 0; frame++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return found();
    },
    [FRAMES, FILTER_PX] as const,
  );
}

async function choosePage(page: Page, name: string, sign: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  const link = name === "Your account" ? OWNER : name;
  await page.locator(".sidebar").getByRole("link", { name: link }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page.getByText(sign).filter({ visible: true }).first().waitFor();
  await untilLoaded(page);
}

/** Where the totals begin, below the filters, at the widths of a phone, a tablet and a desktop. */
async function topsOfSums(page: Page): Promise<number[]> {
  const tops: number[] = [];
  for (const width of [390, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    tops.push(await page.evaluate<number>("document.querySelector('.usage-sums').offsetTop"));
  }
  return tops;
}

/** The layout shift when the data arrives, as browsers measure it. */
async function shiftOf(page: Page, path: string): Promise<number> {
  const seen = Promise.withResolvers<void>();
  await page.route(DATA, (route) => seen.promise.then(() => route.continue()));
  await page.goto(`/console${path}`);
  await page.locator(FILTERS).waitFor();
  await drawTwice(page);
  seen.resolve();
  await page.locator(`${FILTERS} option`).nth(2).waitFor({ state: "attached" });
  await untilLoaded(page);
  await drawTwice(page);
  await page.unrouteAll({ behavior: "wait" });
  return page.evaluate("globalThis.shifted");
}

function drawTwice(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

afterAll(settings.remove);

describeInBrowser(
  "at widths from phone to desktop",
  (console) => {
    test(
      "no page is wider than its window, no table wider than its card, and nothing overlaps",
      async () => {
        await fill(console.gateway, await console.gateway.found());
        const page = await console.openFor(OWNER);
        const wrong: string[] = [];
        for (const [name, sign] of PAGES) {
          await choosePage(page, name, sign);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: HEIGHT });
            wrong.push(...(await overflows(page)).map((what) => `${name} at ${width}: ${what}`));
          }
        }
        expect(wrong).toEqual([]);
        await choosePage(page, "Usage", LONG_MODELS[1]);
        await page.locator("tr", { hasText: LONG_MODELS[1] }).locator("a.receipt-link").click();
        await page.setViewportSize({ width: 360, height: HEIGHT });
        const named = page.getByRole("dialog").locator("strong", { hasText: LONG_MODELS[1] });
        expect(await named.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
        expect(await overflows(page)).toEqual([]);
      },
      TEST_LIMIT_MS,
    );

    test(
      "filters reserve their space before their options have loaded",
      async () => {
        const organization = await console.gateway.found();
        const userId = await organization.addMember("loading@example.com", "owner");
        await console.gateway.services.identity.people.rename({ userId, name: LONG.trim() });
        await callChat(console.gateway.origin, organization.key, { "x-member-user-id": userId });
        const page = await console.openFor("loading@example.com");
        await page.addInitScript(() => {
          const counted = Object.assign(globalThis, { shifted: 0 });
          const count = (entry: PerformanceEntry) => {
            counted.shifted += (entry as PerformanceEntry & { value: number }).value;
          };
          const observer = new PerformanceObserver((list) => list.getEntries().forEach(count));
          observer.observe({ type: "layout-shift", buffered: true });
        });
        const moved: string[] = [];
        for (const width of [861, 900]) {
          await page.setViewportSize({ width, height: HEIGHT });
          for (const path of ["/library", "/usage"]) {
            const shift = await shiftOf(page, path);
            if (shift > MOST_SHIFT) moved.push(`${path} at ${width}: ${shift}`);
          }
        }
        expect(moved).toEqual([]);
      },
      TEST_LIMIT_MS,
    );

    test("the first usage filter moves nothing, and the table keeps the day visible while scrolled", async () => {
      const organization = await console.gateway.found();
      const { key } = await organization.mint({ name: LONG.trim() });
      // One option of each kind, so that the row of filters is full.
      const userId = await organization.addMember("named@example.com", "owner");
      await callChat(console.gateway.origin, key, { "x-member-user-id": userId });
      const page = await console.openFor("named@example.com", "/usage?split=key");
      await page.getByRole("combobox", { name: "Member" }).waitFor();
      const tops = await topsOfSums(page);
      await page.getByRole("combobox", { name: "Model" }).selectOption("sandbox-chat");
      await page.getByRole("button", { name: "Show all" }).waitFor();
      expect(await topsOfSums(page)).toEqual(tops);

      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole("button", { name: "Show all" }).waitFor();
      await page.getByRole("radio", { name: "Table" }).check();
      const table = page.getByRole("region", { name: "Credits by day" });
      // However far the table is scrolled to the right, the day stays beside its figures, in one line.
      const today = await table.getByRole("rowheader").first().boundingBox();
      const scrolled = await table.evaluate((one) => {
        one.scrollLeft = 1_000;
        return one.scrollLeft;
      });
      expect(scrolled).toBeGreaterThan(0);
      expect(await table.getByRole("rowheader").first().boundingBox()).toEqual(today);
      expect(today?.height).toBeLessThan(50);
      // A name takes no more than its column's share; the whole name is in its tooltip.
      const head = table.getByRole("columnheader", { name: LONG.trim() });
      expect((await head.boundingBox())?.width).toBeLessThan(260);
      expect(await head.locator("[title]").getAttribute("title")).toBe(LONG.trim());
    });
  },
  settings.environment,
);
