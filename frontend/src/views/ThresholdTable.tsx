import type { Threshold } from "../api/types";
import { formatNumber } from "../base/format";

/** The numbers that the run was judged by. */
export function ThresholdTable({ thresholds }: { thresholds: readonly Threshold[] }) {
  return (
    <details class="panel">
      <summary>Thresholds in force</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Threshold</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {thresholds.map((each) => (
            <tr key={`${each.rule}.${each.name}`}>
              <td>
                <code>{each.rule}</code>
              </td>
              <td>
                <code>{each.name}</code>
              </td>
              <td class="number">
                {formatNumber(each.value)} {each.unit}
              </td>
              <td>{each.meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
