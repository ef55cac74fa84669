import { expect, test } from "bun:test";
import { differenceOf, expectGolden, sortedLines } from "./golden.ts";
import { recordedSettings } from "./settings.ts";
import { gatewayFiles, loggedLinesOf, metricsOf, sentencesOf } from "./source-words.ts";

test("settings are as recorded: names, defaults, what they accept, what the documents say", () => {
  expectGolden("settings", recordedSettings());
});

test("log lines are as recorded: events, levels and fields", () => {
  expectGolden("log-lines", sortedLines(gatewayFiles.flatMap(loggedLinesOf)));
});

test("the gateway's sentences are as recorded, refusals among them", () => {
  expectGolden("sentences", sortedLines(gatewayFiles.flatMap(sentencesOf)));
});

test("metrics are as recorded: names, kinds, help and labels", () => {
  expectGolden("metrics", sortedLines(gatewayFiles.flatMap(metricsOf)));
});

test("a difference shows the changed lines", () => {
  expect(differenceOf("a\nb\n", "a\nb\n")).toBeNull();
  expect(differenceOf("a\nb\n", "a\nc\n")).toBe("  a\n- b\n+ c\n  ");
});
