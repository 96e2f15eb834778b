/** What the routes answer; mirrors tb_nanwatch/plugin/http_api.md. */

import type { SeverityWord, StatusWord } from "../base/status";

export type RunSummary = {
  readonly run: string;
  readonly status: StatusWord;
  readonly sentence: string;
  readonly layer: string | null;
  readonly step: number | null;
  readonly first_step: number | null;
  readonly last_step: number | null;
  readonly samples: number;
  readonly layers: number;
  readonly alerts: number;
  readonly updated: number;
  readonly problem: string | null;
};

export type Layer = { readonly path: string; readonly type: string; readonly sites: readonly number[] };

export type SiteKind = "input" | "output" | "output_gradient" | "weight" | "gradient" | "loss" | "penalty";

export type Site = {
  readonly layer: number;
  readonly kind: SiteKind;
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly (number | null)[];
};

export type Threshold = {
  readonly rule: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
};

export type Layout = {
  readonly run: string;
  readonly statistics: readonly string[];
  readonly layers: readonly Layer[];
  readonly sites: readonly Site[];
  readonly thresholds: readonly Threshold[];
};

/** JSON has no NaN: numbers that aren't finite come as words. */
export type JsonNumber = number | "NaN" | "Infinity" | "-Infinity";

export type Alert = {
  readonly step: number;
  readonly severity: SeverityWord;
  readonly rule: string;
  readonly layer: string;
  readonly phase: string;
  readonly statistic: string;
  readonly value: JsonNumber;
  readonly threshold: JsonNumber;
  readonly onset: number | null;
  readonly forecast: number | null;
  readonly seen: number;
  readonly message: string;
  readonly cause: string;
  readonly advice: string;
  readonly source: string | null;
};

/** An array response: `values` is row-major, `rows` × `columns`, and row `i` is of step `steps[i]`. */
export type ArrayResponse<Values> = {
  readonly values: Values;
  readonly rows: number;
  readonly columns: number;
  readonly steps: readonly number[];
  readonly names: readonly string[];
};

export type Floats = ArrayResponse<Float32Array>;
export type Bytes = ArrayResponse<Uint8Array>;
