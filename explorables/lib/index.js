export { ramp, signed } from "./colours.js";
export { button, control, controls, transport } from "./controls.js";
export { html, pointIn, reducedMotion, responsive, set, svg, uniqueId } from "./dom.js";
export { draggable, keySlider, knob, place } from "./handles.js";
export { equation, linked, live } from "./linked.js";
export { random } from "./random.js";
export { clamp, format, linear, log, ticks } from "./scales.js";
