export { arrow } from "./arrows.js";
export { ramp, signed } from "./colours.js";
export { button, control, controls, setAll, transport } from "./controls.js";
export {
  html,
  italic,
  pointIn,
  reducedMotion,
  responsive,
  set,
  svg,
  text,
  uniqueId,
} from "./dom.js";
export { draggable, keySlider, knob, place } from "./handles.js";
export { equation, linked, live } from "./linked.js";
export { random } from "./random.js";
export { clamp, format, linear, log, ticks } from "./scales.js";
