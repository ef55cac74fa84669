/** For tests of the gateway that need real files: the library is the sandbox's alone. */
export { createCanvas } from "@napi-rs/canvas";
