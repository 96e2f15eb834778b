from tb_nanwatch.capture.guard import Guard


def test_a_failure_is_said_once_and_goes_no_further(caplog):
    guard = Guard()
    for _ in range(3):
        with guard("the output of layer 'a'"):
            raise ValueError("no such shape\nand a second line")
    (said,) = caplog.messages
    assert said == (
        "nanwatch: the output of layer 'a' is not recorded (ValueError: no such shape); the training goes on"
    )
