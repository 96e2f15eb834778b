/** Chooses between a logarithmic scale and a linear one. */
export function ScaleToggle(props: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />{" "}
      {props.label}
    </label>
  );
}
