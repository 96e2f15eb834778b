/** Decodes the array responses of tb_nanwatch/plugin/http_api.md. */

import type { Bytes, Floats } from "./types";

type Header = { dtype: string; rows: number; columns: number; steps: number[]; names: string[] };

export class WireError extends Error {}

export function decodeFloats(buffer: ArrayBuffer): Floats {
  const { header, offset } = decode(buffer, "float32", 4);
  return { ...header, values: new Float32Array(buffer, offset, header.rows * header.columns) };
}

export function decodeBytes(buffer: ArrayBuffer): Bytes {
  const { header, offset } = decode(buffer, "uint8", 1);
  return { ...header, values: new Uint8Array(buffer, offset, header.rows * header.columns) };
}

function decode(buffer: ArrayBuffer, dtype: string, size: number): { header: Header; offset: number } {
  if (buffer.byteLength < 4) throw new WireError("the answer ends before its header");
  const length = new DataView(buffer).getUint32(0, true);
  const offset = 4 + length;
  if (offset > buffer.byteLength) throw new WireError("the answer ends within its header");
  const header = readHeader(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.dtype !== dtype) throw new WireError(`the answer holds ${header.dtype}; expected ${dtype}`);
  // A view of floats can't begin just anywhere; the server pads the header for it.
  if (offset % size !== 0) throw new WireError("the answer's values don't begin at a multiple of their size");
  if (header.steps.length !== header.rows) throw new WireError("the answer has not one step for each row");
  if (offset + header.rows * header.columns * size !== buffer.byteLength) {
    throw new WireError("the answer's length doesn't match its shape");
  }
  return { header, offset };
}

function readHeader(text: string): Header {
  const header = parse(text);
  if (typeof header !== "object" || header === null) throw new WireError("the answer's header is no object");
  const { dtype, shape, steps, columns: titles } = header as Record<string, unknown>;
  if (typeof dtype !== "string" || !isCounts(shape) || !isCounts(steps) || shape.length !== 2) {
    throw new WireError("the answer's header lacks its type, shape or steps");
  }
  const [rows = 0, columns = 0] = shape;
  const names = Array.isArray(titles) ? titles.map(String) : [];
  if (names.length > 0 && names.length !== columns) {
    throw new WireError("the answer has not one name for each column");
  }
  return { dtype, rows, columns, steps, names };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError("the answer's header is no JSON");
  }
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
}
