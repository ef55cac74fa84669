import { expect, test } from "bun:test";
import { traceResource } from "./trace-resource.ts";

const OURS = { "service.name": "bursar", "service.version": "1" };
const WRONG = "OTEL_RESOURCE_ATTRIBUTES must be name=value,name=value, percent-encoded";

test.each([
  [{}, OURS],
  [{ OTEL_SERVICE_NAME: "gateway" }, { ...OURS, "service.name": "gateway" }],
  [{ OTEL_SERVICE_NAME: "" }, OURS],
  [{ OTEL_RESOURCE_ATTRIBUTES: "" }, OURS],
  [
    { OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod, team=a%2Cb%3D,empty=," },
    { ...OURS, "deployment.environment.name": "prod", team: "a,b=", empty: "" },
  ],
  [{ OTEL_RESOURCE_ATTRIBUTES: "service.name=theirs" }, { ...OURS, "service.name": "theirs" }],
  [
    { OTEL_SERVICE_NAME: "gateway", OTEL_RESOURCE_ATTRIBUTES: "service.name=theirs,service.version=7" },
    { "service.name": "gateway", "service.version": "7" },
  ],
])("%o sets the resource of spans", (env, attributes) => {
  expect(traceResource(env, "1")).toEqual({ attributes, wrong: null });
});

test.each(["prod", "a=b,c", "=b", "a=b=c", "a=%zz", "%zz=a"])(
  "OTEL_RESOURCE_ATTRIBUTES=%s is ignored and reported",
  (text) => {
    expect(traceResource({ OTEL_RESOURCE_ATTRIBUTES: text }, "1")).toEqual({
      attributes: OURS,
      wrong: WRONG,
    });
  },
);
