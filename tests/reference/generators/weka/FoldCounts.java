import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import weka.classifiers.Classifier;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Counts the correct predictions of a Weka classifier in every fold of given cross-validations.
 *
 * Each line on stdin is a job of six fields, separated by tabs: ARFF file, index of the class (from 0), number of
 * leading rows to use (0: all), file of fold numbers (one line of numbers per run), classifier, options (may be empty).
 * Each job is answered by one line on stdout: counts separated by spaces, runs separated by commas.
 *
 * The training set keeps the order of the file; the test examples are classified one by one in that order.
 */
public class FoldCounts {
  public static void main(String[] arguments) throws Exception {
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in));
    String job;
    while ((job = jobs.readLine()) != null) {
      String[] field = job.split("\t", -1);
      Instances data = new Instances(new BufferedReader(new FileReader(field[0])));
      data.setClassIndex(Integer.parseInt(field[1]));
      int rows = Integer.parseInt(field[2]);
      if (rows > 0 && rows < data.numInstances()) {
        data = new Instances(data, 0, rows);
      }
      System.out.println(crossValidate(data, field[3], field[4], field[5]));
      System.out.flush();
    }
  }

  static String crossValidate(Instances data, String foldFile, String classifier, String options) throws Exception {
    StringBuilder answer = new StringBuilder();
    try (BufferedReader runs = new BufferedReader(new FileReader(foldFile))) {
      String line;
      while ((line = runs.readLine()) != null) {
        answer.append(answer.length() > 0 ? "," : "").append(run(data, line.trim().split(" "), classifier, options));
      }
    }
    return answer.toString();
  }

  static String run(Instances data, String[] foldOf, String classifier, String options) throws Exception {
    int[] fold = new int[foldOf.length];
    int folds = 0;
    for (int i = 0; i < fold.length; i++) {
      fold[i] = Integer.parseInt(foldOf[i]);
      folds = Math.max(folds, fold[i] + 1);
    }
    if (fold.length != data.numInstances()) {
      throw new Exception(fold.length + " fold numbers for " + data.numInstances() + " rows");
    }
    StringBuilder counts = new StringBuilder();
    for (int k = 0; k < folds; k++) {
      counts.append(k > 0 ? " " : "").append(correct(data, fold, k, classifier, options));
    }
    return counts.toString();
  }

  static int correct(Instances data, int[] fold, int k, String classifier, String options) throws Exception {
    Instances training = new Instances(data, data.numInstances());
    for (int i = 0; i < fold.length; i++) {
      if (fold[i] != k) {
        training.add(data.instance(i));
      }
    }
    Classifier model = Classifier.forName(classifier, Utils.splitOptions(options));
    model.buildClassifier(training);
    int correct = 0;
    for (int i = 0; i < fold.length; i++) {
      if (fold[i] == k && model.classifyInstance(data.instance(i)) == data.instance(i).classValue()) {
        correct++;
      }
    }
    return correct;
  }
}
