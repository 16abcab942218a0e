import java.io.File;
import javax.swing.DefaultListModel;
import weka.classifiers.Classifier;
import weka.core.Utils;
import weka.experiment.CSVResultListener;
import weka.experiment.ClassifierSplitEvaluator;
import weka.experiment.CrossValidationResultProducer;
import weka.experiment.Experiment;
import weka.experiment.InstancesResultListener;
import weka.experiment.PropertyNode;

/** Runs Weka's own Experimenter: Experimenter OUT RUNS FOLDS SCHEMES(;) DATA... writes CSV or ARFF by OUT's ending. */
public class Experimenter {
  public static void main(String[] args) throws Exception {
    Experiment experiment = new Experiment();
    CrossValidationResultProducer producer = new CrossValidationResultProducer();
    producer.setNumFolds(Integer.parseInt(args[2]));
    ClassifierSplitEvaluator evaluator = new ClassifierSplitEvaluator();
    producer.setSplitEvaluator(evaluator);
    experiment.setResultProducer(producer);
    PropertyNode[] path = {
      new PropertyNode(evaluator,
        new java.beans.PropertyDescriptor("splitEvaluator", CrossValidationResultProducer.class),
        CrossValidationResultProducer.class),
      new PropertyNode(evaluator.getClassifier(),
        new java.beans.PropertyDescriptor("classifier", ClassifierSplitEvaluator.class),
        ClassifierSplitEvaluator.class)};
    experiment.setPropertyPath(path);
    String[] schemes = args[3].split(";");
    Classifier[] classifiers = new Classifier[schemes.length];
    for (int i = 0; i < schemes.length; i++) {
      String[] words = Utils.splitOptions(schemes[i].trim());
      String name = words[0];
      words[0] = "";
      classifiers[i] = Classifier.forName(name, words);
    }
    experiment.setUsePropertyIterator(true);
    experiment.setPropertyArray(classifiers);
    experiment.setRunLower(1);
    experiment.setRunUpper(Integer.parseInt(args[1]));
    DefaultListModel data = new DefaultListModel();
    for (int i = 4; i < args.length; i++) data.addElement(new File(args[i]));
    experiment.setDatasets(data);
    CSVResultListener listener = args[0].endsWith(".arff") ? new InstancesResultListener() : new CSVResultListener();
    listener.setOutputFile(new File(args[0]));
    experiment.setResultListener(listener);
    experiment.initialize();
    experiment.runExperiment();
    experiment.postProcess();
  }
}
