from tb_nanwatch.model.severity import Severity, Status


def test_severities_compare_in_the_order_of_gravity():
    assert [each.word for each in sorted(Severity)] == ["info", "warning", "critical"]


def test_statuses_compare_in_the_order_of_gravity():
    assert [each.word for each in sorted(Status)] == ["unknown", "healthy", "watch", "diverging", "nonfinite"]


def test_statuses_are_numbered_as_logs_and_the_page_number_them():
    assert [int(each) for each in sorted(Status)] == [0, 1, 2, 3, 4]
